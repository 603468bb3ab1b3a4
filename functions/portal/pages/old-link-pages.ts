import { escaped, html, type Markup } from '../../shared/html/markup.ts';
import type { Page } from '../../shared/html/page.ts';
import { formatTime } from '../../shared/html/text.ts';
import { utc } from '../../shared/runtime/time-zone.ts';
import type { OutboxEntry } from '../../subscriptions/record/outbox-entry.ts';

/** A link that was replaced, and the address of the client, of which the pages show a few characters. */
interface OldLink {
  token: string;
  address: string;
}

/** The newest mail with the new link, for the page of an old one. */
export interface LinkMailState {
  mail: OutboxEntry;
  /** When the link can be mailed again. Undefined: now. */
  againAtMs?: number | undefined;
}

const footer = html`<p>No mail? Check your spam folder. The link is mailed at most once an hour.</p>`;

/** The offer to mail the present link. */
export const oldLinkPage = (link: OldLink): Page => offerPage(link, html`<p>${offer(link)}</p>`);

export function refusedOldLinkPage(link: OldLink): Page {
  return offerPage(link, html`<p role="alert">Nothing was changed. ${offer(link)}</p>`);
}

const offer = ({ address }: OldLink) =>
  html`There is a newer link to this page. We can mail it to ${masked(address)}.`;

function offerPage({ token }: OldLink, text: Markup): Page {
  return {
    title: 'This link was replaced',
    content: html`<h1>This link was replaced</h1>
${text}
<form method="post" action="${escaped(token)}"><div class="actions"><button type="submit" name="action" value="mail">Mail me the new link</button></div></form>`,
    footer,
  };
}

export function linkMailPage({ token, address }: OldLink, { mail, againAtMs }: LinkMailState): Page {
  const again =
    againAtMs === undefined
      ? html`<form method="post" action="${escaped(token)}" class="more"><button type="submit" name="action" value="mail" class="plain">Mail it again</button></form>`
      : html`<p class="note">The link can be mailed again from ${formatTime(againAtMs, utc)}.</p>`;
  return {
    title: 'The link was replaced',
    content: html`<h1>Check your mail</h1>
<p role="status">This link no longer works. ${mailInWords(mail, masked(address))}</p>
${again}`,
    footer,
  };
}

const masked = (address: string) => html`<strong dir="ltr">${maskedAddress(address)}</strong>`;

function mailInWords({ doneAtMs, givenUpAtMs, droppedAtMs }: OutboxEntry, where: Markup): Markup {
  if (doneAtMs !== undefined)
    return html`The new link was mailed to ${where} on ${formatTime(doneAtMs, utc)}. Only the mail contains it.`;
  if ((givenUpAtMs ?? droppedAtMs) !== undefined) return html`The mail to ${where} could not be sent.`;
  return html`The new link is on its way to ${where}. Only the mail contains it.`;
}

/** `a…@e….com`: enough to recognize one's own address, too little to learn another's. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const host = address.slice(at + 1);
  const first = (text: string) => Array.from(text)[0] ?? '';
  return `${first(address)}…@${first(host)}…${host.slice(host.lastIndexOf('.'))}`;
}
