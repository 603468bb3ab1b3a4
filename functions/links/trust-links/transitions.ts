/** The changes of a link's state: update, review decision, removal. Pure: no clock, no table. */
import { defined } from '../../shared/contract/defined.ts';
import type { NewEvent } from '../../shared/events/events-write.ts';
import { normalWebAddress } from '../../shared/fields/web-address.ts';
import { isoTime, optionalIsoTime } from '../../shared/runtime/clock.ts';
import type { LinkChange } from '../api/requests.ts';
import type { Status } from '../api/responses.ts';
import type { DecisionKind } from './decision.ts';
import type { Actor, HistoryEvent } from './history.ts';
import { type Link, toLinkResponse } from './link.ts';
import { entryAfterChange, type QueueEntry } from './queue.ts';

/** The next state of a link, the event that its history records, and what its application is told. */
export interface Transition {
  next: Link;
  event: HistoryEvent;
  told: readonly NewEvent[];
}

type LinkEventType = 'link.verified' | 'link.rejected' | 'link.pending' | 'link.removed';

/** The traces of a removed link: the event of its history, and what its application is told. */
export type Removal = Omit<Transition, 'next'>;

interface TransitionContext {
  by: Actor;
  nowMs: number;
}

/** Applies an update of the application. Undefined when nothing changes. An empty description removes it. */
export function applyUpdate(
  link: Link,
  change: LinkChange,
  { by, nowMs }: TransitionContext,
): Transition | undefined {
  const { title = link.title, url = link.url, platform = link.platform } = change;
  const description = (change.description ?? link.description) || undefined;
  const fields = { title, url, platform, description };
  const before = Object.fromEntries(
    (['title', 'url', 'platform', 'description'] as const)
      .filter((name) => fields[name] !== link[name])
      .map((name) => [name, link[name] ?? null]),
  );
  if (Object.keys(before).length === 0) return undefined;
  const { reviewedAtMs, description: _, queueEntry, verificationStatus, ...rest } = link;
  const review = reviewedAtMs === undefined ? {} : { verificationStatus, reviewedAt: isoTime(reviewedAtMs) };
  const next: Link = {
    ...rest,
    title,
    url,
    normalizedUrl: change.url === undefined ? link.normalizedUrl : normalWebAddress(url),
    platform,
    ...defined({ description }),
    verificationStatus: 'pending',
    revision: link.revision + 1,
    ...defined({ queueEntry: entryAfterChange[verificationStatus](queueEntry, nowMs) }),
  };
  const event = { event: 'changed', atMs: nowMs, by, before: { ...before, ...review } } as const;
  // A link that waits already still waits.
  return verificationStatus === 'pending' ? { next, event, told: [] } : told('link.pending', next, event);
}

/** The states that each decision is about, and the state that it leads to with its place in the queue or the time of the review. */
const decisions = {
  verified: { from: ['pending'], to: 'verified', with: reviewed },
  rejected: { from: ['pending'], to: 'rejected', with: reviewed },
  withdrawn: { from: ['verified', 'rejected'], to: 'pending', with: urgent },
} as const satisfies Readonly<
  Record<
    DecisionKind,
    {
      readonly from: readonly Status[];
      readonly to: Status;
      readonly with: (nowMs: number) => { reviewedAtMs: number } | { queueEntry: QueueEntry };
    }
  >
>;

function reviewed(reviewedAtMs: number) {
  return { reviewedAtMs };
}

/** The application was told of a decision that does not hold: the link is reviewed before others. */
function urgent(sinceMs: number) {
  return { queueEntry: { priority: true, sinceMs } };
}

export function isDecidable(status: Status, decision: DecisionKind): boolean {
  const from: readonly Status[] = decisions[decision].from;
  return from.includes(status);
}

/** Applies the decision of a reviewer. Undefined when the link is in no state for it, or has another revision. */
export function applyDecision(
  link: Link,
  { decision, reason, revision }: { decision: DecisionKind; reason?: string; revision: number },
  { by, nowMs }: TransitionContext,
): Transition | undefined {
  const { verificationStatus } = link;
  if (!isDecidable(verificationStatus, decision) || link.revision !== revision) return undefined;
  const { to, with: fields } = decisions[decision];
  const { queueEntry: _, reviewedAtMs, ...rest } = link;
  const reviewedAt = optionalIsoTime(reviewedAtMs);
  const next: Link = { ...rest, verificationStatus: to, ...fields(nowMs), revision: revision + 1 };
  return told(`link.${to}`, next, {
    event: decision,
    atMs: nowMs,
    by,
    ...defined({ reason }),
    before: { verificationStatus, ...defined({ reviewedAt }) },
  });
}

/** A removal. Its history event records the whole link. */
export function removalOf(link: Link, { by, nowMs }: TransitionContext): Removal {
  const event: HistoryEvent = { event: 'removed', atMs: nowMs, by, before: toLinkResponse(link) };
  return { event, told: told('link.removed', link, event).told };
}

/** A transition of which the application is told. The link counts what was told, so that the sequence of events has no gap. */
function told(type: LinkEventType, next: Link, event: HistoryEvent): Transition {
  const sequence = (next.eventCount ?? 0) + 1;
  return {
    next: { ...next, eventCount: sequence },
    event,
    told: [{ type, sequence, data: toLinkResponse(next) }],
  };
}
