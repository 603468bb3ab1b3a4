import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, minuteMs, secondMs } from '../runtime/clock.ts';
import { MailPossiblySent } from './mailer.ts';

/**
 * A scheduled run takes no further mail after this time: half a minute before the next run, so that a mail that waits for SES ends
 * before the function does.
 */
const drainTimeMs = 4.5 * minuteMs;

/** After so many mails in a row that SES did not answer or throttled, a run stops: the fault is not that of one mail. */
const stopAfterFaults = 5;

type Pages<E> = AsyncIterator<readonly E[]> | Iterator<readonly E[]>;

export interface DrainOptions<E> {
  shards: readonly Pages<E>[];
  /** Tries an entry. @returns undefined when another process has it; otherwise the error, if any. */
  attempt: (entry: E) => Promise<{ cause: unknown } | undefined>;
  /** The rate of SES for this account. */
  mailsPerSecond: number;
  /** When the run takes no further mail, epoch milliseconds; by default as long after now as a scheduled run lasts. */
  endMs?: number;
  clock: Clock;
  pause?: (ms: number) => Promise<unknown>;
}

/**
 * Sends due mails until none is left or the time of a run is over, at most `mailsPerSecond`: as many workers, each of which
 * sends one mail a second at most. Entries of all shards are taken in turn. An entry that fails is not tried again in
 * the same run, so it delays no other.
 *
 * @throws the error of a page that cannot be read.
 */
export async function drainMail<E extends object>(options: DrainOptions<E>) {
  const { attempt, mailsPerSecond, clock, endMs = clock.nowMs() + drainTimeMs, pause = sleep } = options;
  const counts = { done: 0, failed: 0 };
  const causes: unknown[] = [];
  const take = mergedQueue(options.shards);
  let faults = 0;
  const next = () => (faults < stopAfterFaults && clock.nowMs() < endMs ? take() : undefined);
  const workers = Array.from({ length: mailsPerSecond }, async () => {
    let entry = await next();
    while (entry !== undefined) {
      const second = pause(secondMs);
      const outcome = await attempt(entry);
      if (outcome !== undefined) {
        const { cause } = outcome;
        faults = isFaultOfSes(cause) ? faults + 1 : 0;
        counts[cause === undefined ? 'done' : 'failed'] += 1;
        if (cause !== undefined) causes.push(cause);
      }
      entry = await next();
      if (outcome !== undefined && entry !== undefined) await second;
    }
  });
  await Promise.all(workers);
  return { counts, cause: causes[0] };
}

function isFaultOfSes(cause: unknown): boolean {
  return cause instanceof MailPossiblySent || (cause instanceof Error && cause.name === 'Throttling');
}

/** Takes the entries of all shards: the next pages of all shards are read together when the former ones are used up. */
function mergedQueue<E>(shards: readonly Pages<E>[]): () => Promise<E | undefined> {
  let unread = shards;
  let entries: E[] = [];
  let reading: Promise<void> | undefined;
  const read = async () => {
    const pages = await Promise.all(unread.map((shard) => shard.next()));
    unread = unread.filter((_, i) => pages[i]?.done !== true);
    entries = pages.flatMap(({ done, value }) => (done ? [] : [...value])).reverse();
    reading = undefined;
  };
  return async () => {
    while (entries.length === 0 && unread.length > 0) {
      reading ??= read();
      await reading;
    }
    return entries.pop();
  };
}
