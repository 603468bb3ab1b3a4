import { productName } from '../html/theme.ts';
import { type Line, type MailContent, renderMail } from '../mail/layout.ts';

/**
 * The mail with a sign-in code.
 *
 * @param page.purpose what the reader enters the code for, after "Enter this code on the Vouchsafe page".
 * @param page.consequence one sentence: what signing in does by itself.
 */
export function signInMail(
  { code, lifetimeMinutes }: { code: string; lifetimeMinutes: number },
  page: { purpose: Line; consequence: string },
): MailContent {
  const lifetime = `${lifetimeMinutes} ${lifetimeMinutes === 1 ? 'minute' : 'minutes'}`;
  const purpose = typeof page.purpose === 'string' ? [page.purpose] : page.purpose;
  return renderMail({
    subject: `${code} is your ${productName} sign-in code`,
    preheader: `It works once, in the browser you asked from, and expires in ${lifetime}. Never pass it on.`,
    heading: 'Your sign-in code',
    blocks: [
      {
        kind: 'paragraph',
        content: [`Enter this code on the ${productName} page `, ...purpose, ':'],
      },
      { kind: 'code', code },
      {
        kind: 'paragraph',
        content: [
          'It works once, only in the browser that you asked from, and expires in ',
          { strong: lifetime },
          `. ${page.consequence}`,
        ],
      },
      { kind: 'heading', content: 'You did not ask for it?' },
      {
        kind: 'paragraph',
        content:
          'Somebody may have mistyped an address. Nobody can sign in without this code, so you can ignore this mail.',
      },
      {
        kind: 'paragraph',
        content: [
          { strong: 'Never pass the code on.' },
          ` ${productName} never asks for it by mail, by phone or in a chat. Anyone who asks for it is not us.`,
        ],
      },
    ],
    footer: [`You get this mail because somebody asked to sign in to ${productName} with this address.`],
  });
}
