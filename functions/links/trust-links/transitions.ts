/** The changes of a link's state: update, review decision, removal. Pure: no clock, no table. */
import { defined } from '../../shared/contract/defined.ts';
import type { NewEvent } from '../../shared/events/events-write.ts';
import { normalWebAddress } from '../../shared/fields/web-address.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import type { LinkChange } from '../api/requests.ts';
import type { Actor, HistoryEvent } from './history.ts';
import { type Link, toLinkResponse } from './link.ts';
import { entryAfterChange } from './queue.ts';

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

/** Applies a review decision. Undefined when the link is not pending or has another revision. */
export function applyDecision(
  link: Link,
  { decision, reason, revision }: { decision: 'verified' | 'rejected'; reason?: string; revision: number },
  { by, nowMs }: TransitionContext,
): Transition | undefined {
  if (link.verificationStatus !== 'pending' || link.revision !== revision) return undefined;
  const { queueEntry: _, ...rest } = link;
  const next: Link = { ...rest, verificationStatus: decision, reviewedAtMs: nowMs, revision: revision + 1 };
  return told(`link.${decision}`, next, {
    event: decision,
    atMs: nowMs,
    by,
    ...defined({ reason }),
    before: { verificationStatus: 'pending' },
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
