import { formatTime } from '../shared/html/text.ts';
import { productName } from '../shared/html/theme.ts';
import { type MailContent, renderMail } from '../shared/mail/layout.ts';
import { utc } from '../shared/runtime/time-zone.ts';

/** The mail with an enrolment link. */
export function enrolmentEmail({
  url,
  token,
  expiresAtMs,
}: {
  url: string;
  token: string;
  expiresAtMs: number;
}): MailContent {
  const expiry = formatTime(expiresAtMs, utc);
  return renderMail({
    subject: `Your link to sign in to ${productName}`,
    preheader: `It works once, until ${expiry}. Open it on the device that you sign in with.`,
    heading: `Sign in to ${productName}`,
    blocks: [
      {
        kind: 'paragraph',
        content:
          'Open this link on the device that you want to sign in with. Then ask for a code there. Codes that strangers ask for with your address cannot keep yours from arriving.',
      },
      { kind: 'button', label: 'Open the sign-in', url },
      { kind: 'paragraph', content: 'If an app asks for an enrolment token, enter this one:' },
      { kind: 'code', code: token },
      {
        kind: 'paragraph',
        content: ['The link and the token work for one sign-in, until ', { strong: expiry }, '.'],
      },
      { kind: 'heading', content: 'You did not expect it?' },
      {
        kind: 'paragraph',
        content: 'Nobody can sign in with the link alone. You can ignore this mail.',
      },
    ],
    footer: [`You get this mail because an operator of ${productName} entered this address.`],
  });
}
