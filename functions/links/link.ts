import { defined } from '../shared/contract/defined.ts';
import { normalWebAddress } from '../shared/fields/web-address.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import { isId } from '../shared/runtime/ids.ts';
import type { Status, TrustLink } from './answers.ts';
import type { LinkChange, LinkSubmission } from './requests.ts';

/** Who did something: an application by its secret, a user through one, or an operator by the id of his key. */
export interface Actor {
  kind: 'application' | 'user' | 'operator';
  id: string;
}

/** A link as the service holds it. Times are epoch milliseconds. */
export interface Link {
  linkId: string;
  applicationId: string;
  userId: string;
  title: string;
  /** As it was sent; the normal form tells equal addresses. */
  url: string;
  normalizedUrl: string;
  platform: string;
  description?: string;
  verificationStatus: Status;
  createdAtMs: number;
  submittedBy: Actor;
  /** Counts the changes, from 1; every write is bound to the one it saw. */
  revision: number;
  /** While pending: its place in the queue of reviews. */
  waiting?: Waiting;
  /** Once reviewed. */
  reviewedAtMs?: number;
}

export interface Waiting {
  /** It was verified before: others may rely on it. */
  priority: boolean;
  sinceMs: number;
}

/** Something that happened to a link after its submission; `before` is what it changed, as it was. */
export interface HistoryEvent {
  event: 'changed' | 'verified' | 'rejected' | 'removed';
  atMs: number;
  by: Actor;
  reason?: string;
  before: Readonly<Record<string, unknown>>;
}

/** What a change leads to, and what is written down of it. */
export interface Change {
  next: Link;
  happening: HistoryEvent;
}

export interface Owner {
  applicationId: string;
  userId: string;
}

export function newLink(
  owner: Owner,
  { title, url, platform, description }: LinkSubmission,
  made: { linkId: string; atMs: number; by: Actor },
): Link {
  const { linkId, atMs, by } = made;
  return {
    linkId,
    ...owner,
    title,
    url,
    normalizedUrl: normalWebAddress(url),
    platform,
    ...(description && { description }),
    verificationStatus: 'pending',
    createdAtMs: atMs,
    submittedBy: by,
    revision: 1,
    waiting: { priority: false, sinceMs: atMs },
  };
}

/** How a link that is changed waits for its review, by the status it had; a pending one keeps its place. */
const afterChange: Readonly<Record<Status, (link: Link, nowMs: number) => Waiting | undefined>> = {
  pending: ({ waiting }) => waiting,
  verified: (_, sinceMs) => ({ priority: true, sinceMs }),
  rejected: (_, sinceMs) => ({ priority: false, sinceMs }),
};

/** A change by the application; undefined when it changes nothing. An empty description is none. */
export function changed(
  link: Link,
  change: LinkChange,
  { by, nowMs }: { by: Actor; nowMs: number },
): Change | undefined {
  const { title = link.title, url = link.url, platform = link.platform } = change;
  const description = (change.description ?? link.description) || undefined;
  const fields = { title, url, platform, description };
  const before = Object.fromEntries(
    (['title', 'url', 'platform', 'description'] as const)
      .filter((name) => fields[name] !== link[name])
      .map((name) => [name, link[name] ?? null]),
  );
  if (Object.keys(before).length === 0) return undefined;
  const { reviewedAtMs, description: _, verificationStatus, ...kept } = link;
  const review = reviewedAtMs !== undefined && { verificationStatus, reviewedAt: isoTime(reviewedAtMs) };
  const waiting = afterChange[verificationStatus](link, nowMs);
  return {
    next: {
      ...kept,
      title,
      url,
      normalizedUrl: normalWebAddress(url),
      platform,
      ...(description && { description }),
      verificationStatus: 'pending',
      revision: link.revision + 1,
      ...(waiting && { waiting }),
    },
    happening: {
      event: 'changed',
      atMs: nowMs,
      by,
      before: { ...before, ...review },
    },
  };
}

/** A decision of the verification team; undefined when the link is not the one that was seen, or not pending. */
export function decided(
  link: Link,
  { decision, reason, revision }: { decision: 'verified' | 'rejected'; reason?: string; revision: number },
  { by, nowMs }: { by: Actor; nowMs: number },
): Change | undefined {
  if (link.verificationStatus !== 'pending' || link.revision !== revision) return undefined;
  const { waiting: _, ...kept } = link;
  return {
    next: { ...kept, verificationStatus: decision, reviewedAtMs: nowMs, revision: revision + 1 },
    happening: {
      event: decision,
      atMs: nowMs,
      by,
      ...(reason && { reason }),
      before: { verificationStatus: 'pending' },
    },
  };
}

/** The removal of a link: what is written down is all that it was. */
export function removed(link: Link, { by, nowMs }: { by: Actor; nowMs: number }): HistoryEvent {
  return { event: 'removed', atMs: nowMs, by, before: presented(link) };
}

/** A link as its application sees it. */
export function presented(link: Link): TrustLink {
  const { linkId: _id, title, url, platform, description, verificationStatus, createdAtMs } = link;
  return {
    _id,
    title,
    url,
    platform,
    ...defined({ description }),
    verificationStatus,
    createdAt: isoTime(createdAtMs),
    ...(link.reviewedAtMs !== undefined && { reviewedAt: isoTime(link.reviewedAtMs) }),
  };
}

/** Whether a text has the form of a link's id: nothing else is worth a look into the table. */
export function isLinkId(text: string): boolean {
  return isId('lnk', text);
}
