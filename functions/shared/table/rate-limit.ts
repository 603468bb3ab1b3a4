import { type Key, keys } from '../contract/keys.ts';
import type { Limit } from '../contract/route.ts';
import { minuteMs } from '../runtime/duration.ts';
import { ExpiringCache } from '../runtime/expiring-cache.ts';
import { recordProblem } from '../runtime/log.ts';
import {
  type KeptLog,
  nextAllowedAtMs,
  type Refusal,
  refusal,
  slidingWindowUpdate,
  type Verdict,
} from './sliding-window.ts';
import { exists, getItem, type Item, updateItem } from './table.ts';

/**
 * Until when each caller is refused (epoch milliseconds), so that a flood costs no writes.
 *
 * The caller cannot be allowed earlier, because only an allowed request changes the log, and bytes are only added. A caller
 * that is evicted costs a write again.
 */
const refusedUntilMs = new ExpiringCache<number>(10_000);

/**
 * Counts a request against an exact sliding window (`sliding-window.ts`), in one conditional write.
 *
 * When the SDK resends a write because its response was lost, the request counts twice: the limit is never too
 * lenient.
 *
 * @param kept of a log that operators read. It gets the time of a refusal too.
 */
export async function consume(limit: Limit, caller: string, nowMs: number, kept?: KeptLog): Promise<Verdict> {
  const cached = cachedRefusal(limit, caller, nowMs);
  if (cached !== undefined) return cached;
  const key = keys.rateLimit(limit.group, caller);
  const outcome = await updateItem(key, {
    ...slidingWindowUpdate(limit, nowMs, kept),
    guard: { harmless: 'counts one request more, at the time of the first copy' },
  });
  if (outcome.done) return { allowed: true };
  const allowedAtMs = nextAllowedAtMs(limit, outcome.refused) ?? nowMs + limit.windowMs;
  cacheRefusal(limit, caller, allowedAtMs);
  if (kept !== undefined) await noteRefusal(key, outcome.refused, nowMs);
  return refusal(limit, allowedAtMs - nowMs);
}

/**
 * Notes when a request was refused, once a minute at most: the refused count has read the note before. Without the note the
 * request is refused as well.
 */
async function noteRefusal(key: Key, log: Item | undefined, nowMs: number): Promise<void> {
  if (nowMs - Number(log?.refusedAtMs ?? 0) < minuteMs) return;
  try {
    await updateItem(
      key,
      {
        UpdateExpression: 'SET refusedAtMs = :now',
        ConditionExpression: `${exists} AND (attribute_not_exists(refusedAtMs) OR refusedAtMs < :now)`,
        ExpressionAttributeValues: { ':now': nowMs },
        guard: { newest: 'refusedAtMs' },
      },
      'NONE',
    );
  } catch (error) {
    recordProblem('the refusal of a request is not noted', error);
  }
}

/** The cached refusal of a caller over the limit; undefined when only the table can tell. */
export function cachedRefusal(limit: Named, caller: string, nowMs: number): Refusal | undefined {
  const { pk } = keys.rateLimit(limit.group, caller);
  const untilMs = refusedUntilMs.get(pk, nowMs);
  return untilMs === undefined ? undefined : refusal(limit, untilMs - nowMs);
}

/** Whether a request would be allowed now. Counts nothing. */
export async function peek(limit: Limit, caller: string, nowMs: number): Promise<Verdict> {
  const allowedAtMs = nextAllowedAtMs(limit, await getItem(keys.rateLimit(limit.group, caller))) ?? 0;
  return allowedAtMs > nowMs ? refusal(limit, allowedAtMs - nowMs) : { allowed: true };
}

/** The common parts of a limit of requests and a limit of bytes. Their groups differ. */
type Named = Pick<Limit, 'group' | 'windowMs'>;

/**
 * Remembers that a caller is refused until a time (epoch milliseconds). Nothing may allow the caller earlier.
 */
export function cacheRefusal({ group }: Pick<Limit, 'group'>, caller: string, untilMs: number): void {
  const { pk } = keys.rateLimit(group, caller);
  refusedUntilMs.set(pk, untilMs, untilMs);
}
