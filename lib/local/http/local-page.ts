import { createHash } from 'node:crypto';
import { escaped } from '../../../functions/shared/html/markup.ts';
import { formatTime } from '../../../functions/shared/html/text.ts';
import { utc } from '../../../functions/shared/runtime/time-zone.ts';
import { styles } from './local-styles.ts';

/** Text as markup in which it is only text. */
export const e = (text: string): string => escaped(text).markup;

/** Reloads for what is new, unless the filter is being edited. */
const refresh =
  "setInterval(()=>{if(!document.hidden&&document.activeElement?.tagName!=='INPUT')location.reload()},4000)";

/** The policy of a page, and of the mail that it frames: nothing is loaded. */
export const framePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'";

/**
 * Nothing is loaded, and no script runs but the page's own. The frame of a mail inherits the policy, which thus applies to
 * the mail too.
 */
export const localPagePolicy = `${framePolicy}; script-src 'sha256-${createHash('sha256').update(refresh).digest('base64')}'; form-action 'self'; frame-ancestors 'none'`;

/** A moment, as every page of the local stack shows it. @param iso ISO 8601 in UTC. */
export function localTime(iso: string): string {
  return `<time datetime="${e(iso)}">${formatTime(Date.parse(iso), utc)}</time>`;
}

/** A page of the local stack. All but the title is markup. @param beside the heading. */
export function localPage(title: string, top: string, main: string, beside = '', end = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${e(title)} – Vouchsafe</title>
<link rel="icon" href="data:,">
<style>${styles}</style>
</head>
<body>
<header class="top"><div>${top}</div>${beside}</header>
<main>${main}</main>
${end}
</body>
</html>
`;
}

/** How many records a page shows; the JSON has all of them. */
export const shownRecords = 100;

/** All but the heading is markup. */
interface RecordsView {
  heading: string;
  above?: string;
  intro: string;
  beside?: string;
  notes?: string;
  rows: readonly string[];
  /** In place of the list when there is no record: the inside of an icon of 48 by 36, and a text. */
  empty: { icon: string; text: string };
}

export function recordsPage({
  heading,
  above = '',
  intro,
  beside,
  notes = '',
  rows,
  empty,
}: RecordsView): string {
  const shown = rows.slice(0, shownRecords);
  const isCut = rows.length > shown.length;
  const more = isCut
    ? `<p class="note">These are the newest ${shown.length}. The JSON of this address has all that are kept.</p>`
    : '';
  const list =
    rows.length === 0
      ? `<section class="empty"><svg viewBox="0 0 48 36" width="72" height="54" aria-hidden="true">${empty.icon}</svg>${empty.text}</section>`
      : `<ol class="mails">${shown.map((row) => `<li>${row}</li>`).join('\n')}</ol>\n${more}`;
  return localPage(
    rows.length === 0 ? heading : `${heading} (${shown.length}${isCut ? '+' : ''})`,
    `${above}<h1>${e(heading)}</h1><p>${intro}</p>`,
    `${notes}${list}`,
    beside,
    `<script>${refresh}</script>`,
  );
}

/** One record. All but the title is markup. @param sections by their headings. */
export function recordPage(
  title: string,
  above: string,
  facts: Readonly<Record<string, string>>,
  sections: Readonly<Record<string, string>>,
): string {
  const terms = Object.entries(facts).map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`);
  const below = Object.entries(sections).map(([name, body]) => `<section><h2>${name}</h2>${body}</section>`);
  return localPage(
    title,
    `<p>${above}</p><h1>${e(title)}</h1>`,
    `<dl>${terms.join('')}</dl>\n${below.join('\n') || '<p class="note">There is nothing more.</p>'}`,
  );
}
