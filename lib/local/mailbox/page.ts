import { defined } from '../../../functions/shared/contract/defined.ts';
import { e, framePolicy, localTime, recordPage, recordsPage } from '../http/local-page.ts';
import type { StoredAttachment, StoredMail } from './mailbox.ts';

export function mailsPage(mails: readonly StoredMail[], to: string): string {
  return recordsPage({
    heading: 'Mailbox',
    above: '',
    notes: '',
    intro: 'Mail sent by this local stack. Nothing leaves the machine.',
    beside: `<form class="filter" action="/_local/mailbox" role="search">
<input type="search" name="to" value="${e(to)}" placeholder="Recipient, in full" aria-label="Recipient" autocomplete="off">
<button>Filter</button>${to === '' ? '' : '<a href="/_local/mailbox">Show all</a>'}
</form>`,
    rows: mails.map(row),
    empty: {
      icon: '<rect x="1.5" y="1.5" width="45" height="33" rx="4"/><path d="m3 5 21 16L45 5"/>',
      text:
        to === ''
          ? '<h2>No mail yet</h2><p>Whatever the API sends shows up here by itself: sign-in codes, invoices, reminders.</p>'
          : `<h2>No mail to ${e(to)} yet</h2><p>It shows up here by itself. The filter takes a whole address.</p>`,
    },
  });
}

function row(mail: StoredMail): string {
  const { id, subject, sentAt, to, attachments } = mail;
  const clip =
    attachments.length === 0 ? '' : `<span class="clip">${counted(attachments.length, 'attachment')}</span>`;
  const snippet = preview(mail);
  return `<a href="/_local/mailbox/${e(id)}">
<span class="subject">${e(subject) || '(no subject)'}</span>${localTime(sentAt)}
<span class="to"><span class="label">To</span> ${e(to.join(', '))}</span>${clip}
${snippet === '' ? '' : `<span class="snippet">${e(snippet)}</span>`}
</a>`;
}

/** The beginning of the text of a mail, on one line. */
function preview({ text, html }: StoredMail): string {
  const words =
    text === '' ? html.slice(0, 4_000).replaceAll(/<(style|title)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ') : text;
  return words.slice(0, 1_000).replaceAll(/\s+/g, ' ').trim().slice(0, 160);
}

export function mailPage({ id, subject, from, to, sentAt, attachments, html, text }: StoredMail): string {
  const files = attachments.map((attachment) => download(id, attachment)).join('');
  return recordPage(
    subject || '(no subject)',
    '<a href="/_local/mailbox">&larr; Mailbox</a>',
    { From: e(from), To: e(to.join(', ')), Sent: localTime(sentAt) },
    defined({
      Attachments: attachments.length === 0 ? undefined : `<ul class="attachments">${files}</ul>`,
      HTML: html === '' ? undefined : frame(html),
      Text: text === '' ? undefined : `<pre>${e(text)}</pre>`,
    }),
  );
}

/**
 * The HTML of a mail inside its frame. Links open in a new tab. The sandbox runs no script, submits no form and cannot
 * reach the surrounding page. The policy is repeated here for a page that was saved.
 */
function frame(html: string): string {
  const content = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${framePolicy}"><base target="_blank">${html}`;
  return `<iframe title="The mail as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer" srcdoc="${e(content)}"></iframe>`;
}

function download(mailId: string, { id, filename, contentType, size }: StoredAttachment): string {
  return `<li><a href="/_local/mailbox/${e(mailId)}/attachments/${id}" download>${e(filename)}</a> <span class="label">${e(contentType)}, ${bytes(size)}</span></li>`;
}

function bytes(size: number): string {
  if (size < 1024) return counted(size, 'byte');
  return size < 1024 * 1024 ? `${(size / 1024).toFixed(1)} KB` : `${(size / 1024 / 1024).toFixed(1)} MB`;
}

const counted = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;
