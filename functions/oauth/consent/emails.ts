import { quoted } from '../../shared/html/text.ts';
import { productName } from '../../shared/html/theme.ts';
import { type MailContent, renderMail } from '../../shared/mail/layout.ts';

/** The mail with the sign-in code of the consent page. */
export function signInMail({
  code,
  lifetimeMinutes,
  applicationName,
}: {
  code: string;
  lifetimeMinutes: number;
  applicationName: string;
}): MailContent {
  const lifetime = `${lifetimeMinutes} ${lifetimeMinutes === 1 ? 'minute' : 'minutes'}`;
  const application = quoted(applicationName) || 'an application';
  return renderMail({
    subject: `${code} is your ${productName} sign-in code`,
    preheader: `It works once, in the browser you asked from, and expires in ${lifetime}. Never pass it on.`,
    heading: 'Your sign-in code',
    blocks: [
      {
        kind: 'paragraph',
        content: [
          `Enter this code on the ${productName} page to see what `,
          { strong: application },
          ' asks for:',
        ],
      },
      { kind: 'code', code },
      {
        kind: 'paragraph',
        content: [
          'It works once, only in the browser that you asked from, and expires in ',
          { strong: lifetime },
          '. Signing in allows nothing yet: the next page asks you.',
        ],
      },
      { kind: 'heading', content: 'You did not ask for it?' },
      {
        kind: 'paragraph',
        content: 'Somebody may have mistyped an address. Nobody gets in without this code: leave it unused.',
      },
      {
        kind: 'paragraph',
        content: [
          { strong: 'Never pass the code on.' },
          ` ${productName} never asks for it by mail, by phone or in a chat. Anyone who does is not us.`,
        ],
      },
    ],
    footer: [`You get this mail because a sign-in to ${productName} was asked for with this address.`],
  });
}
