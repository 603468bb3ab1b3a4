import { defined } from '../../shared/contract/defined.ts';
import { normalWebAddress } from '../../shared/fields/web-address.ts';
import { isoTime, optionalIsoTime } from '../../shared/runtime/clock.ts';
import { isId } from '../../shared/runtime/ids.ts';
import type { LinkSubmission } from '../api/requests.ts';
import type { Status, TrustLink } from '../api/responses.ts';
import type { Actor } from './history.ts';
import type { QueueEntry } from './queue.ts';

/** A link as stored. Times in epoch milliseconds. */
export interface Link {
  linkId: string;
  applicationId: string;
  userId: string;
  title: string;
  /** As submitted. The normalized form identifies equal addresses. */
  url: string;
  normalizedUrl: string;
  platform: string;
  description?: string;
  verificationStatus: Status;
  createdAtMs: number;
  submittedBy: Actor;
  /** Incremented by every write, from 1; a write is conditioned on the revision that it read. */
  revision: number;
  queueEntry?: QueueEntry;
  reviewedAtMs?: number;
  /** How many events the application was told of the link. Absent while there are none. */
  eventCount?: number;
}

export interface Owner {
  applicationId: string;
  userId: string;
}

/** A link that was just submitted. An empty description counts as omitted. */
export function newLink(
  { applicationId, userId }: Owner,
  { title, url, platform, description }: LinkSubmission,
  { linkId, atMs, by }: { linkId: string; atMs: number; by: Actor },
): Link {
  return {
    linkId,
    applicationId,
    userId,
    title,
    url,
    normalizedUrl: normalWebAddress(url),
    platform,
    ...defined({ description: description || undefined }),
    verificationStatus: 'pending',
    createdAtMs: atMs,
    submittedBy: by,
    revision: 1,
    queueEntry: { priority: false, sinceMs: atMs },
  };
}

export function toLinkResponse(link: Link): TrustLink {
  const { linkId, title, url, platform, description, verificationStatus, createdAtMs, reviewedAtMs } = link;
  return {
    _id: linkId,
    title,
    url,
    platform,
    ...defined({ description }),
    verificationStatus,
    createdAt: isoTime(createdAtMs),
    ...defined({ reviewedAt: optionalIsoTime(reviewedAtMs) }),
  };
}

/** Whether a text has the form of a link id. Other texts are never looked up in the table. */
export const isLinkId = (text: string): boolean => isId('lnk', text);
