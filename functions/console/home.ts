import { reviewStore } from '../links/trust-links/review-store.ts';
import { undeliveredMailStore } from '../operator/mails/store.ts';
import { allows } from '../shared/contract/operator-scopes.ts';
import { html } from '../shared/html/markup.ts';
import { homeRoute } from './contracts/pages.ts';
import { facts, idText, moment, section } from './pages/blocks.ts';
import { column, table } from './pages/table.ts';
import { type Answer, show, type Visit } from './pages/visit.ts';
import { consoleEndpoint } from './session/console-endpoint.ts';

/** Records that are counted; beyond it the page says that there are more. */
const most = 20;

/** Work that can wait, and how it is read: one query for each shard of an index. Without a page, a command lists it. */
const work = [
  {
    title: 'Links to review',
    scope: 'review',
    at: { path: '/console/reviews' },
    count: async () => (await reviewStore.listPending(undefined, most + 1)).length,
  },
  {
    title: 'Undelivered mails',
    scope: 'support',
    at: { command: 'mail list' },
    count: async () => (await undeliveredMailStore.list(undefined, most + 1)).length,
  },
] as const;

/** Shows what waits in the sections that the scopes allow, and the session. */
export async function showHome(_: object, visit: Visit): Promise<Answer> {
  const { href, operator, scopes, sessionEndsAtMs } = visit;
  const covered = work.filter(({ scope }) => allows(scopes, scope));
  const waiting = await Promise.all(
    covered.map(async ({ title, at, count }) => ({ title, at, counted: await count() })),
  );
  const linked = ({ title, at }: (typeof waiting)[number]) =>
    'path' in at
      ? html`<a href="${href(at.path)}">${title}</a>`
      : html`${title}<br><code>npm run operator -- ${at.command}</code>`;
  const columns = [
    column.block('Work', linked),
    column.text('Waiting', ({ counted }: (typeof waiting)[number]) =>
      counted > most ? `more than ${most}` : String(counted),
    ),
  ];
  const session = facts([
    ['Name', operator.name],
    ['Operator key', idText(operator.keyId)],
    ['Scopes', scopes.join(', ')],
    ['Ends', moment(sessionEndsAtMs)],
  ]);
  return show(
    'Console',
    html`<h1>Console</h1>
${table('Waiting work', waiting, columns, 'No work is waiting.')}
${section('you', 'Your session', session)}`,
  );
}

export const handler = consoleEndpoint(homeRoute, 'any', showHome);
