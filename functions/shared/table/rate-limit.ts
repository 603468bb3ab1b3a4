import { defined } from '../contract/defined.ts';
import { keys, tableSchema } from '../contract/keys.ts';
import type { Limit } from '../contract/route.ts';
import { expirySeconds } from '../contract/time-to-live.ts';
import { ExpiringCache } from '../runtime/expiring-cache.ts';
import { type Condition, getItem, type Item, type Update, updateItem } from './table.ts';

/** Whether a request is allowed, or after how many whole seconds it will be. */
export type Verdict = { allowed: true } | Refusal;
export type Refusal = { allowed: false; retryAfterSeconds: number };

/**
 * Until when each caller is refused (epoch milliseconds), so that a flood costs no writes.
 *
 * The caller cannot be allowed earlier, because only an allowed request changes the log, and bytes are only added. A caller
 * that is evicted costs a write again.
 */
const refusedUntilMs = new ExpiringCache<number>(10_000);

/**
 * Counts a request against an exact sliding window, in one conditional write.
 *
 * `h0` to `h(N-1)` are the times of the last N allowed requests, newest first. Each allowed request shifts
 * them by one: all actions of an update see the values from before it. The condition is that the N-th last
 * request has left the window. No interval of `windowMs`, wherever it starts, therefore contains more than
 * `max` allowed requests. A request that is exactly `windowMs` old has left the window.
 *
 * When the SDK resends a write because its response was lost, the request counts twice: the limit is never too
 * lenient.
 */
export async function consume(limit: Limit, caller: string, nowMs: number): Promise<Verdict> {
  const cached = cachedRefusal(limit, caller, nowMs);
  if (cached !== undefined) return cached;
  const key = keys.rateLimit(limit.group, caller);
  const outcome = await updateItem(key, {
    ...slidingWindowUpdate(limit, nowMs),
    guard: { harmless: 'counts one request more, at the time of the first copy' },
  });
  if (outcome.done) return { allowed: true };
  const allowedAtMs = nextAllowedAtMs(limit, outcome.refused) ?? nowMs + limit.windowMs;
  cacheRefusal(limit, caller, allowedAtMs);
  return refusal(limit, allowedAtMs - nowMs);
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

/** When the next request is allowed (epoch ms): once the N-th last has left the window. Undefined: now. */
function nextAllowedAtMs({ max, windowMs }: Window, log: Item | undefined): number | undefined {
  const oldestMs = log?.[slot(max - 1)];
  return typeof oldestMs === 'number' ? oldestMs + windowMs : undefined;
}

/** What a limit of requests and a limit of bytes have in common. Their groups differ. */
type Named = Pick<Limit, 'group' | 'windowMs'>;
type Window = Pick<Limit, 'max' | 'windowMs'>;

const slot = (n: number): string => `h${n}`;

/** The update that counts one request, on the condition that it is within the limit. */
function slidingWindowUpdate({ max, windowMs }: Window, nowMs: number): Update & Condition {
  const shifts = Array.from({ length: max - 1 }, (_, i) => `${slot(i + 1)}=if_not_exists(${slot(i)},:never)`);
  const last = slot(max - 1);
  return {
    UpdateExpression: `SET ${[`${slot(0)}=:now`, ...shifts, '#ttl=:expires'].join(', ')}`,
    ConditionExpression: `attribute_not_exists(${last}) OR ${last} <= :cutoff`,
    ExpressionAttributeNames: { '#ttl': tableSchema.timeToLive },
    ExpressionAttributeValues: defined({
      ':now': nowMs,
      ':cutoff': nowMs - windowMs,
      ':expires': expirySeconds(nowMs + windowMs),
      // DynamoDB refuses a value that no expression uses.
      ':never': max > 1 ? 0 : undefined,
    }),
  };
}

/**
 * When a sliding window has room for one more (epoch milliseconds); 0: now.
 *
 * @param times of what the window contains, in any order.
 */
export function windowFreeAtMs(times: readonly number[], { max, windowMs }: Window): number {
  const blocking = times.toSorted((a, b) => a - b).at(-max);
  return blocking === undefined ? 0 : blocking + windowMs;
}

/** The refusal of a request that has to wait for `waitMs`: at least one second, at most the window. */
export function refusal({ windowMs }: Pick<Window, 'windowMs'>, waitMs: number): Refusal {
  const seconds = Math.ceil(waitMs / 1000);
  return { allowed: false, retryAfterSeconds: Math.min(Math.max(seconds, 1), Math.ceil(windowMs / 1000)) };
}

/**
 * Remembers that a caller is refused until a time (epoch milliseconds). Nothing may allow the caller earlier.
 */
export function cacheRefusal({ group }: Pick<Limit, 'group'>, caller: string, untilMs: number): void {
  const { pk } = keys.rateLimit(group, caller);
  refusedUntilMs.set(pk, untilMs, untilMs);
}
