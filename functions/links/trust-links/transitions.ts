/** The changes of a link's state: update, review decision, removal. Pure: no clock, no table. */
import { defined } from '../../shared/contract/defined.ts';
import { normalWebAddress } from '../../shared/fields/web-address.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import type { LinkChange } from '../api/requests.ts';
import type { Actor, HistoryEvent } from './history.ts';
import { type Link, toLinkResponse } from './link.ts';
import { entryAfterChange } from './queue.ts';

/** The next state of a link, and the event that its history records. */
export interface Transition {
  next: Link;
  event: HistoryEvent;
}

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
  return {
    next: {
      ...rest,
      title,
      url,
      normalizedUrl: normalWebAddress(url),
      platform,
      ...defined({ description }),
      verificationStatus: 'pending',
      revision: link.revision + 1,
      ...defined({ queueEntry: entryAfterChange[verificationStatus](queueEntry, nowMs) }),
    },
    event: {
      event: 'changed',
      atMs: nowMs,
      by,
      before: { ...before, ...review },
    },
  };
}

/** Applies a review decision. Undefined when the link is not pending or has another revision. */
export function applyDecision(
  link: Link,
  { decision, reason, revision }: { decision: 'verified' | 'rejected'; reason?: string; revision: number },
  { by, nowMs }: TransitionContext,
): Transition | undefined {
  if (link.verificationStatus !== 'pending' || link.revision !== revision) return undefined;
  const { queueEntry: _, ...rest } = link;
  return {
    next: { ...rest, verificationStatus: decision, reviewedAtMs: nowMs, revision: revision + 1 },
    event: {
      event: decision,
      atMs: nowMs,
      by,
      ...defined({ reason }),
      before: { verificationStatus: 'pending' },
    },
  };
}

/** The event of a removal. It records the whole link. */
export function removalEvent(link: Link, { by, nowMs }: TransitionContext): HistoryEvent {
  return { event: 'removed', atMs: nowMs, by, before: toLinkResponse(link) };
}
