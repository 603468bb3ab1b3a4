import { html, type Markup } from '../../shared/html/markup.ts';
import { formatTime } from '../../shared/html/text.ts';
import { utc } from '../../shared/runtime/time-zone.ts';
import { facts, table } from './blocks.ts';
import type { Visit } from './visit.ts';

/** Work that waits for somebody. */
export interface Waiting {
  title: string;
  count: string;
}

export function homePage({ operator, scopes, sessionEndsAtMs }: Visit, waiting: readonly Waiting[]): Markup {
  return html`<h1>Console</h1>
${table('What waits', {
  columns: [
    { title: 'Work', cell: ({ title }) => title },
    { title: 'Waiting', cell: ({ count }) => count },
  ],
  rows: waiting,
  empty: 'Nothing waits that the scopes of your key cover.',
})}
<section aria-labelledby="you"><h2 id="you">Your session</h2>
${facts([
  ['Name', operator.name],
  ['Operator key', html`<span class="id">${operator.keyId}</span>`],
  ['Scopes', scopes.join(', ')],
  ['Ends', formatTime(sessionEndsAtMs, utc)],
])}</section>`;
}
