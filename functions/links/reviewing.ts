import { defined } from '../shared/contract/defined.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import type { HistoryEntry } from './answers.ts';
import type { Actor, HistoryEvent, Link, Owner, Waiting } from './link.ts';

/**
 * Where a link stands in the queue of reviews: priority first, then by the time since when it waits. The id makes it
 * unique, so that a page can go on after any of them.
 */
export function queuePosition(linkId: string, { priority, sinceMs }: Waiting): string {
  return `${priority ? 0 : 1}#${isoTime(sinceMs)}#${linkId}`;
}

/** Whether a text has the form of a position. */
export function isQueuePosition(text: string | undefined): text is string {
  return /^[01]#[\d:.TZ-]{24}#lnk_[0-9A-Z]{26}$/.test(text ?? '');
}

/** The digits of a ULID (https://github.com/ulid/spec). */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The part of the queue a link is in, by the last digit of its id, which is random: up to 32, evenly when they divide it. */
export function shardOf(linkId: string, shards: number): number {
  return digits.indexOf(linkId.slice(-1)) % shards;
}

/** A happening as it is kept: the last of them also with what is known of the submission. */
export type KeptHappening = HistoryEvent & { revision: number; submission?: Submitted };

/** What history has to know of a link that is gone. */
export interface Submitted extends Owner {
  createdAtMs: number;
  submittedBy: Actor;
}

export const submissionOf = ({ applicationId, userId, createdAtMs, submittedBy }: Link): Submitted => ({
  applicationId,
  userId,
  createdAtMs,
  submittedBy,
});

/** All that happened to a link, oldest first. Its submission has no record of its own: the link is that. */
export function historyOf(
  { createdAtMs, submittedBy }: Submitted,
  happenings: readonly KeptHappening[],
): HistoryEntry[] {
  return [
    { event: 'submitted', revision: 1, at: isoTime(createdAtMs), by: submittedBy },
    ...happenings.map(({ event, revision, atMs, by, reason, before }) => ({
      event,
      revision,
      at: isoTime(atMs),
      by,
      ...defined({ reason }),
      before: before as Record<string, string | null>,
    })),
  ];
}
