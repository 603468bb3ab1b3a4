import { productName } from '../shared/html/theme.ts';
import { type MailContent, renderMail } from '../shared/mail/layout.ts';

export function codeEmail({ code, lifetimeMinutes }: { code: string; lifetimeMinutes: number }): MailContent {
  const lifetime = `${lifetimeMinutes} ${lifetimeMinutes === 1 ? 'minute' : 'minutes'}`;
  return renderMail({
    subject: `${code} is your ${productName} code`,
    preheader: `It works once and expires in ${lifetime}. Enter it only in ${productName}, and never pass it on.`,
    heading: 'Your code for the new device',
    blocks: [
      {
        kind: 'paragraph',
        content: `Enter this code in ${productName}, on the device that you want to trust:`,
      },
      { kind: 'code', code },
      {
        kind: 'paragraph',
        content: [
          'It works once and expires in ',
          { strong: lifetime },
          '. If you asked for more than one, only the newest works.',
        ],
      },
      { kind: 'heading', content: 'You did not ask for it?' },
      {
        kind: 'paragraph',
        content: `Somebody may have mistyped an address, or may know your master password or your user ID. Nobody gets in without this code, so you can leave it unused. If more codes come, change your master password.`,
      },
      {
        kind: 'paragraph',
        content: [
          { strong: 'Never pass the code on.' },
          ` ${productName} never asks for it, not by mail, by phone or in a chat. Anyone who asks for it is not us.`,
        ],
      },
    ],
    footer: [`You get this mail because a code for ${productName} was asked for with this address.`],
  });
}
