import { html, type Markup } from '../../shared/html/markup.ts';
import { facts, idText, table, time } from './blocks.ts';
import type { ConsolePath } from './path.ts';
import type { Visit } from './visit.ts';

/** Work that waits for somebody. */
export interface Waiting {
  title: string;
  /** Its page, or the command of the operator's command line that lists it where there is no page. */
  at: { readonly path: ConsolePath } | { readonly command: string };
  count: string;
}

export function homePage(
  { href, operator, scopes, sessionEndsAtMs }: Visit,
  waiting: readonly Waiting[],
): Markup {
  const work = ({ title, at }: Waiting) =>
    'path' in at
      ? html`<a href="${href(at.path)}">${title}</a>`
      : html`${title}<br><code>npm run operator -- ${at.command}</code>`;
  return html`<h1>Console</h1>
${table('Waiting work', {
  columns: [
    { title: 'Work', cell: work },
    { title: 'Waiting', cell: ({ count }) => count },
  ],
  rows: waiting,
  empty: 'No work is waiting.',
})}
<section aria-labelledby="you"><h2 id="you">Your session</h2>
${facts([
  ['Name', operator.name],
  ['Operator key', idText(operator.keyId)],
  ['Scopes', scopes.join(', ')],
  ['Ends', time(sessionEndsAtMs)],
])}</section>`;
}
