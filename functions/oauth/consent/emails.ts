import { quoted } from '../../shared/html/text.ts';
import type { MailContent } from '../../shared/mail/layout.ts';
import { signInMail } from '../../shared/sign-in/mail.ts';

export function consentMail({
  code,
  lifetimeMinutes,
  applicationName,
}: {
  code: string;
  lifetimeMinutes: number;
  applicationName: string;
}): MailContent {
  const application = quoted(applicationName) || 'an application';
  return signInMail(
    { code, lifetimeMinutes },
    {
      purpose: ['to see what ', { strong: application }, ' asks for'],
      consequence: 'Signing in allows nothing yet: the next page asks you.',
    },
  );
}
