import * as keys from '../contract/keys.ts';
import type { Limit } from '../contract/route.ts';
import { ExpiringCache } from '../runtime/expiring-cache.ts';
import {
  nextAllowedAtMs,
  type Refusal,
  refusal,
  slidingWindowUpdate,
  type Verdict,
} from './sliding-window.ts';
import { type Condition, getItem, type Item, type Update, updateItem } from './table.ts';

/**
 * Until when each caller is refused (epoch milliseconds), so that a flood costs no writes.
 *
 * The caller cannot be allowed earlier, because only an allowed request changes the log, and bytes are only added. A caller
 * that is evicted costs a write again.
 */
const refusedUntilMs = new ExpiringCache<number>(10_000);

/** The content of a log beside the times of requests. */
interface LogExtension {
  /** The update that counts the request, on the condition of `slidingWindowUpdate`. */
  readonly update: Update & Condition;
  /** Called with the log that refuses the request; undefined when it was deleted meanwhile. */
  onRefusal(log: Item | undefined): Promise<void>;
}

/**
 * Counts a request against an exact sliding window (`sliding-window.ts`), in one conditional write.
 *
 * When the SDK resends a write because its response was lost, the request counts twice: the limit is never too lenient.
 */
export async function consume(
  limit: Limit,
  caller: string,
  nowMs: number,
  more?: LogExtension,
): Promise<Verdict> {
  const cached = cachedRefusal(limit, caller, nowMs);
  if (cached !== undefined) return cached;
  const key = keys.rateLimit(limit.group, caller);
  const outcome = await updateItem(key, {
    ...(more?.update ?? slidingWindowUpdate(limit, nowMs)),
    guard: { harmless: 'counts one request more, at the time of the first copy' },
  });
  if (outcome.done) return { allowed: true };
  const allowedAtMs = nextAllowedAtMs(limit, outcome.refused) ?? nowMs + limit.windowMs;
  cacheRefusal(limit, caller, allowedAtMs);
  await more?.onRefusal(outcome.refused);
  return refusal(limit, allowedAtMs - nowMs);
}

/** The cached refusal of a caller over the limit; undefined when only the table can tell. */
export function cachedRefusal(limit: Named, caller: string, nowMs: number): Refusal | undefined {
  const { pk } = keys.rateLimit(limit.group, caller);
  const untilMs = refusedUntilMs.get(pk, nowMs);
  return untilMs === undefined ? undefined : refusal(limit, untilMs - nowMs);
}

export async function peek(limit: Limit, caller: string, nowMs: number): Promise<Verdict> {
  const allowedAtMs = nextAllowedAtMs(limit, await getItem(keys.rateLimit(limit.group, caller))) ?? 0;
  return allowedAtMs > nowMs ? refusal(limit, allowedAtMs - nowMs) : { allowed: true };
}

type Named = Pick<Limit, 'group' | 'windowMs'>;

/** Remembers that a caller is refused until a time (epoch milliseconds). Nothing may allow the caller earlier. */
export function cacheRefusal({ group }: Pick<Limit, 'group'>, caller: string, untilMs: number): void {
  const { pk } = keys.rateLimit(group, caller);
  refusedUntilMs.set(pk, untilMs, untilMs);
}
