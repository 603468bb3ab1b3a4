import type { MailContent } from '../../../functions/shared/mail/layout.ts';

/** The visible text of the HTML, on one line. */
function visible({ html }: MailContent): string {
  return html
    .replace(/<head>.*<\/head>|<div style="display:none.*?<\/div>|<[^>]+>/gs, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,:])/g, '$1');
}

/** Both parts of a mail, each as one line of readable text. */
export function bothParts(mail: MailContent): [string, string][] {
  return [
    ['text', mail.text.replace(/\s+/g, ' ')],
    ['html', visible(mail)],
  ];
}
