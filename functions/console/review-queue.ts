import { type Claim, claimStore } from '../links/reviews/claim-store.ts';
import { decidedWaits } from '../links/reviews/decided-waits.ts';
import { pendingPage } from '../links/reviews/pending-page.ts';
import type { QueuedLink } from '../links/trust-links/review-store.ts';
import { getApplications } from '../shared/accounts/applications.ts';
import { defined } from '../shared/contract/defined.ts';
import type { Input } from '../shared/contract/route.ts';
import { html, type Markup } from '../shared/html/markup.ts';
import { dayMs, hourMs, minuteMs } from '../shared/runtime/clock.ts';
import { reviewQueueRoute } from './contracts/reviews.ts';
import { actionForm } from './pages/blocks.ts';
import { column, list, table } from './pages/table.ts';
import { type Answer, show, type Visit } from './pages/visit.ts';
import { keysNote } from './reviews/review-page.ts';
import { consoleEndpoint } from './session/console-endpoint.ts';

const units = [
  [dayMs, 'd'],
  [hourMs, 'h'],
  [minuteMs, 'min'],
] as const;

/** "2 d 5 h", "3 h 12 min", "4 min": the two largest units of a duration, rounded down. */
export function durationText(ms: number): string {
  const largest = units.findIndex(([unit]) => ms >= unit);
  if (largest === -1) return '0 min';
  const parts = units.slice(largest, largest + 2).map(([unit, name], n) => {
    const rest = n === 0 ? ms : ms % (units[largest]?.[0] ?? unit);
    return [Math.floor(rest / unit), name] as const;
  });
  return parts
    .filter(([amount]) => amount > 0)
    .map(([amount, name]) => `${amount} ${name}`)
    .join(' ');
}

/** The value that a share of the values does not exceed: the nearest rank. @param values at least one. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
}

/** The days of whose decisions the waiting times are shown. */
export const decidedDays = 30;
/** The links, and the decisions, whose waiting times are counted at most. */
export const mostMeasured = 200;

/** A page of the queue, and the links whose waiting times are shown. */
export interface Queue {
  links: readonly QueuedLink[];
  nextCursor: string | undefined;
  /** The first links of the queue. Empty on a further page. */
  measured: readonly QueuedLink[];
  /** More links wait than those that are measured. */
  hasMore: boolean;
  /** How long the links waited that were decided last. Empty on a further page. */
  decided: readonly number[];
  /** The names of applications by id, and the claims by the id of their link. */
  names: ReadonlyMap<string, string>;
  claims: ReadonlyMap<string, Claim>;
}

export function queuePage(visit: Visit, queue: Queue): Markup {
  const { links, nextCursor, names, claims } = queue;
  const waiting = list(
    visit,
    'Links waiting for review',
    { items: [...links], ...defined({ nextCursor }) },
    [
      column.block('Link', (link) => titleLink(visit, link)),
      column.text('Platform', ({ platform }) => platform),
      column.text('Application', ({ applicationId }) => names.get(applicationId) ?? applicationId),
      column.text('Waiting', (link) => durationText(waitedMs(visit, link))),
      column.text('Priority', ({ queueEntry }) => (queueEntry?.priority ? 'Was decided' : '–')),
      column.text('Claimed by', ({ linkId }) => claims.get(linkId)?.name ?? '–'),
    ],
    'No links are waiting for review.',
  );
  return html`<h1>Reviews</h1>
${actionForm(visit, '/console/reviews', html`<button type="submit" autofocus>Review the next link</button>`)}
${waitingTimes(visit, queue)}
<section>${waiting}</section>
${keysNote('j and k move along the list, Enter opens a link, u undoes the last decision.')}`;
}

const titleLink = ({ href }: Visit, { linkId, title }: QueuedLink) =>
  html`<a href="${href(`/console/reviews/${linkId}`)}" data-row>${title}</a>`;

const waitedMs = ({ nowMs }: Visit, { queueEntry }: QueuedLink) =>
  Math.max(0, nowMs - (queueEntry?.sinceMs ?? nowMs));

function waitingTimes(visit: Visit, { measured, hasMore, decided }: Queue): Markup | string {
  if (measured.length === 0 && decided.length === 0) return '';
  const waiting = { what: 'That wait', waits: measured.map((link) => waitedMs(visit, link)), hasMore };
  const before = { what: 'Decided', waits: decided, hasMore: false };
  const most = String(mostMeasured);
  const times = table(
    'Waiting time',
    [waiting, before].filter(({ waits }) => waits.length > 0),
    [
      column.text('Links', ({ what }) => what),
      column.text('Number', ({ waits, hasMore }) => `${hasMore ? 'More than ' : ''}${waits.length}`),
      column.text('Median', ({ waits }) => durationText(percentile(waits, 0.5))),
      column.text('95th percentile', ({ waits }) => durationText(percentile(waits, 0.95))),
    ],
    '',
  );
  return html`<section>${times}<p class="hint">Of the ${most} most urgent links, and of the last ${most} decisions of ${String(decidedDays)} days, until the decision.</p></section>`;
}

const pageSize = 50;

/** Shows the review queue, with who reads what. */
export async function showQueue(
  { query: { cursor } }: Input<typeof reviewQueueRoute>,
  visit: Visit,
): Promise<Answer> {
  const isFirst = cursor === undefined;
  const [{ read, links, nextCursor }, decided] = await Promise.all([
    pendingPage(cursor, pageSize, isFirst ? mostMeasured + 1 : pageSize + 1),
    isFirst ? decidedWaits(visit.nowMs - decidedDays * dayMs, mostMeasured) : [],
  ]);
  const [applications, claims] = await Promise.all([
    getApplications(links.map(({ applicationId }) => applicationId)),
    claimStore.list(
      links.map(({ linkId }) => linkId),
      visit.nowMs,
    ),
  ]);
  const content = queuePage(visit, {
    links,
    nextCursor,
    measured: isFirst ? read.slice(0, mostMeasured) : [],
    hasMore: read.length > mostMeasured,
    decided,
    names: new Map([...applications].map(([id, { name }]) => [id, name])),
    claims,
  });
  return show('Reviews', content);
}

export const handler = consoleEndpoint(reviewQueueRoute, 'review', showQueue);
