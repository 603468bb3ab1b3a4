import { e, framePolicy, localPage, localTime, refreshScript } from '../http/local-page.ts';
import type { StoredAttachment, StoredMail } from './mailbox.ts';

/**
 * The mailbox as a page.
 *
 * @param view.to the recipient to filter by; empty for all.
 * @param view.more whether older mails are left out.
 */
export function listPage(mails: StoredMail[], view: { to: string; more: boolean }): string {
  const filter = `<form class="filter" action="/_local/mailbox" role="search">
<input type="search" name="to" value="${e(view.to)}" placeholder="Recipient, in full" aria-label="Recipient" autocomplete="off">
<button>Filter</button>${view.to === '' ? '' : '<a href="/_local/mailbox">Show all</a>'}
</form>`;
  const list =
    mails.length === 0
      ? emptyState(view.to)
      : `<ol class="mails">${mails.map(row).join('\n')}</ol>
${view.more ? `<p class="note">These are the newest ${mails.length}. The JSON of this address has all that are kept.</p>` : ''}`;
  return localPage(
    mails.length === 0 ? 'Mailbox' : `Mailbox (${mails.length}${view.more ? '+' : ''})`,
    `<header class="top"><div><h1>Mailbox</h1><p>Mail sent by this local stack. Nothing leaves the machine.</p></div>
${filter}</header>
<main>${list}</main>`,
    refreshScript,
  );
}

function emptyState(to: string): string {
  const text =
    to === ''
      ? '<h2>No mail yet</h2><p>Whatever the API sends shows up here by itself: sign-in codes, invoices, reminders.</p>'
      : `<h2>No mail to ${e(to)} yet</h2><p>It shows up here by itself. The filter takes a whole address.</p>`;
  return `<section class="empty"><svg viewBox="0 0 48 36" width="72" height="54" aria-hidden="true"><rect x="1.5" y="1.5" width="45" height="33" rx="4"/><path d="m3 5 21 16L45 5"/></svg>${text}</section>`;
}

function row(mail: StoredMail): string {
  const snippet = preview(mail);
  return `<li><a href="/_local/mailbox/${e(mail.id)}">
<span class="subject">${e(mail.subject) || '(no subject)'}</span>${localTime(mail.sentAt)}
<span class="to"><span class="label">To</span> ${e(mail.to.join(', '))}</span>${
    mail.attachments.length === 0
      ? ''
      : `<span class="clip">${counted(mail.attachments.length, 'attachment')}</span>`
  }
${snippet === '' ? '' : `<span class="snippet">${e(snippet)}</span>`}
</a></li>`;
}

/** The beginning of the text of a mail, on one line. */
function preview({ text, html }: StoredMail): string {
  const words =
    text === '' ? html.slice(0, 4_000).replaceAll(/<(style|title)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ') : text;
  return words.slice(0, 1_000).replaceAll(/\s+/g, ' ').trim().slice(0, 160);
}

/** One mail as a page. */
export function mailPage(mail: StoredMail): string {
  const attachments =
    mail.attachments.length === 0
      ? ''
      : `<section><h2>${counted(mail.attachments.length, 'attachment')}</h2><ul class="attachments">${mail.attachments.map((attachment) => download(mail.id, attachment)).join('')}</ul></section>`;
  const html =
    mail.html === ''
      ? ''
      : `<section><h2>HTML</h2><iframe title="The mail as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer" srcdoc="${e(framed(mail.html))}"></iframe></section>`;
  const text = mail.text === '' ? '' : `<section><h2>Text</h2><pre>${e(mail.text)}</pre></section>`;
  return localPage(
    mail.subject || '(no subject)',
    `<header class="top"><div><p><a href="/_local/mailbox">&larr; Mailbox</a></p><h1>${e(mail.subject) || '(no subject)'}</h1></div></header>
<main><dl><dt>From</dt><dd>${e(mail.from)}</dd><dt>To</dt><dd>${e(mail.to.join(', '))}</dd><dt>Sent</dt><dd>${localTime(mail.sentAt)}</dd></dl>
${attachments}${html}${text}${html === '' && text === '' ? '<p class="note">This mail has no body.</p>' : ''}</main>`,
  );
}

/**
 * The HTML of a mail inside its frame. Links open in a new tab. The sandbox runs no script, submits no form and cannot
 * reach the surrounding page. The policy is repeated here for a page that was saved.
 */
function framed(html: string): string {
  return `<!doctype html><meta http-equiv="Content-Security-Policy" content="${framePolicy}"><base target="_blank">${html}`;
}

function download(mailId: string, { id, filename, contentType, size }: StoredAttachment): string {
  return `<li><a href="/_local/mailbox/${e(mailId)}/attachments/${id}" download>${e(filename)}</a> <span class="label">${e(contentType)}, ${bytes(size)}</span></li>`;
}

function bytes(size: number): string {
  if (size < 1024) return counted(size, 'byte');
  return size < 1024 * 1024 ? `${(size / 1024).toFixed(1)} KB` : `${(size / 1024 / 1024).toFixed(1)} MB`;
}

function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
