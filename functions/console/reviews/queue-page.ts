import type { Claim } from '../../links/reviews/claim-store.ts';
import type { QueuedLink } from '../../links/trust-links/review-store.ts';
import { defined } from '../../shared/contract/defined.ts';
import { html, type Markup } from '../../shared/html/markup.ts';
import { actionForm } from '../pages/blocks.ts';
import { column, list, table } from '../pages/table.ts';
import type { Visit } from '../pages/visit.ts';
import { keysNote } from './review-page.ts';
import { durationText, percentile } from './waiting.ts';

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
