import { createHash } from 'node:crypto';
import { escaped } from '../../../functions/shared/html/markup.ts';
import { formatTime } from '../../../functions/shared/html/text.ts';
import { monospace, palette, sansSerif } from '../../../functions/shared/html/theme.ts';
import { utc } from '../../../functions/shared/runtime/time-zone.ts';

const [alarm, alarmInTheDark] = palette.alarm;

const styles = `
:root { color-scheme: light dark;
  --ground: light-dark(#f6f7f9, #14161a); --surface: light-dark(#fff, #1d2026);
  --line: light-dark(#e1e4ea, #31353e); --text: light-dark(#1a1d23, #e6e8ec);
  --soft: light-dark(#5c6470, #9aa3b0); --accent: light-dark(#2250c4, #8fb0ff); --hover: light-dark(#f0f4ff, #232936);
  --good: light-dark(#1a6e33, #7ddc98); --bad: light-dark(${alarm}, ${alarmInTheDark}); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1.25rem 4rem; background: var(--ground); color: var(--text);
  font: 15px/1.5 ${sansSerif}; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 0 0 .5rem; font-size: .8rem; font-weight: 600; letter-spacing: .03em; color: var(--soft); }
p { margin: .25rem 0; color: var(--soft); }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.top { display: flex; flex-wrap: wrap; gap: 1rem; justify-content: space-between; align-items: end; margin-bottom: 1.5rem; }
.filter { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
input, button, select { font: inherit; color: inherit; padding: .4rem .7rem; background: var(--surface);
  border: 1px solid var(--line); border-radius: 8px; }
input { width: 15rem; }
select { max-width: 100%; }
button { cursor: pointer; }
.mails, .people, .card, .empty, dl, pre, iframe, .attachments { border: 1px solid var(--line); border-radius: 12px; background: var(--surface); }
.mails { list-style: none; margin: 0; padding: 0; overflow: hidden; }
.mails li + li { border-top: 1px solid var(--line); }
.mails a { display: grid; grid-template-columns: 1fr auto; gap: .1rem 1rem; padding: .8rem 1.1rem; color: inherit; }
.mails a:hover { background: var(--hover); text-decoration: none; }
.mails a:focus-visible { outline-offset: -2px; border-radius: 12px; }
.card { padding: .8rem 1.1rem; }
.card ul { margin: .25rem 0; padding-left: 1.2rem; }
.card a { text-decoration: underline; }
h3 { margin: .6rem 0 0; font-size: .87rem; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem .8rem; align-items: center; margin-top: .5rem; }
.people { list-style: none; margin: 0; padding: 0; }
.people li { display: grid; grid-template-columns: 1fr 1fr; gap: .3rem 1.2rem; padding: .8rem 1.1rem; }
.people li + li { border-top: 1px solid var(--line); }
.people .actions { grid-column: 1 / -1; margin: 0; }
.subject { font-weight: 600; }
.mails time, .clip { text-align: right; }
time, .to, .snippet, .label, .clip { color: var(--soft); font-size: .87rem; font-variant-numeric: tabular-nums; }
.mails .to { color: inherit; }
.snippet { grid-column: 1 / -1; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.good { color: var(--good); }
.bad { color: var(--bad); }
.badge { padding: 0 .5rem; border: 1px solid currentColor; border-radius: 1rem; font-size: .8rem; white-space: nowrap; }
.facts { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: .2rem .8rem; }
.empty { padding: 4rem 1.5rem; text-align: center; }
.empty h2 { margin: 1rem 0 .25rem; font-size: 1.15rem; letter-spacing: 0; color: var(--text); }
.empty svg { fill: none; stroke: var(--soft); stroke-width: 2; opacity: .6; }
.note { margin-top: 1rem; text-align: center; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.2rem; margin: 0; padding: 1rem 1.1rem; }
dt { color: var(--soft); }
dd { margin: 0; }
dd time { color: inherit; font-size: inherit; }
section { margin-top: 1.5rem; }
.attachments { list-style: none; margin: 0; padding: .6rem 1.1rem; }
.attachments li { padding: .2rem 0; }
pre { margin: 0; padding: 1rem 1.1rem; white-space: pre-wrap; font: .87rem/1.55 ${monospace}; }
iframe { display: block; width: 100%; height: 55vh; min-height: 20rem; background: #fff; color-scheme: light; resize: vertical; }
@media (max-width: 36rem) { .mails a, .people li { grid-template-columns: 1fr; } .mails time, .clip { text-align: left; } .filter { flex: 1; } input { flex: 1; width: 8rem; } }
`;

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
  above: string;
  intro: string;
  beside: string;
  notes: string;
  rows: readonly string[];
  /** In place of the list when there is no record: the inside of an icon of 48 by 36, and a text. */
  empty: { icon: string; text: string };
}

export function recordsPage({ heading, above, intro, beside, notes, rows, empty }: RecordsView): string {
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
