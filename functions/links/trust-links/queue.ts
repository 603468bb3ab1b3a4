import { isoTime } from '../../shared/runtime/clock.ts';
import type { Status } from '../api/responses.ts';

export interface QueueEntry {
  /** Whether the link was verified before the change, or its decision was withdrawn: others may rely on it. */
  priority: boolean;
  sinceMs: number;
}

/**
 * How a changed link enters the queue, by the status before the change. A verified or rejected link returns
 * to the queue; a pending one keeps its position.
 */
export const entryAfterChange: Readonly<
  Record<Status, (current: QueueEntry | undefined, nowMs: number) => QueueEntry | undefined>
> = {
  pending: (current) => current,
  verified: (_, sinceMs) => ({ priority: true, sinceMs }),
  rejected: (_, sinceMs) => ({ priority: false, sinceMs }),
};

/**
 * The sort key of a link in the queue: priority first, then the longest waiting. The id makes it unique, so
 * that a page can start after any link.
 */
export function queuePosition(linkId: string, { priority, sinceMs }: QueueEntry): string {
  return `${priority ? 0 : 1}#${isoTime(sinceMs)}#${linkId}`;
}

export const isQueuePosition = (text: string): boolean => /^[01]#[\d:.TZ-]{24}#lnk_[0-9A-Z]{26}$/.test(text);

const ulidDigits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * The shard of the queue that a link is in. The last digit of the id is random, and distributes links evenly
 * over a number of shards that divides 32.
 */
export function shardOf(linkId: string, shards: number): number {
  return ulidDigits.indexOf(linkId.slice(-1)) % shards;
}
