import * as keys from '../contract/keys.ts';
import type { ByteLimit } from '../contract/route.ts';
import { hourMs } from '../runtime/clock.ts';
import { cachedRefusal, cacheRefusal } from './rate-limit.ts';
import { type Refusal, refusal, type Verdict } from './sliding-window.ts';
import { updateItem } from './table.ts';

/**
 * Bytes that were sent and are counted with the next request of the same caller to this execution environment. The oldest
 * entry is dropped when there are more than `maxCallers`.
 */
const uncounted = new Map<string, number>();
const maxCallers = 10_000;

const windowMs = hourMs;

/**
 * Adds bytes to the count of the current hour, in one write.
 *
 * The count only grows, so the request with which it exceeds the limit is refused, and every later one until the hour
 * ends. Each hour has an item of its own, which the time to live removes. An interval of 60 minutes meets two hours, so it
 * contains at most twice the limit.
 *
 * When the SDK resends a write because its response was lost, the bytes count twice: the limit is never too lenient.
 *
 * @param caller identifies what is counted: a client address or a user.
 */
export async function countBytes(
  limit: ByteLimit,
  caller: string,
  bytes: number,
  nowMs: number,
): Promise<Verdict> {
  const { group, maxBytes } = limit;
  const cached = cachedByteRefusal(limit, caller, nowMs);
  if (cached !== undefined) return cached;
  const windowStartMs = nowMs - (nowMs % windowMs);
  const endMs = windowStartMs + windowMs;
  const key = keys.byteLimit(group, caller, windowStartMs);
  const owed = takeUncounted(key.pk);
  const outcome = await updateItem(key, {
    UpdateExpression: 'ADD #bytes :bytes SET #ttl = :expires',
    ExpressionAttributeValues: { ':bytes': bytes + owed, ':expires': keys.expirySeconds(endMs) },
    guard: { harmless: 'counts the bytes once more, in the hour of the first copy' },
  }).catch((error: unknown) => {
    addUncounted(key.pk, owed);
    throw error;
  });
  if (outcome.done && Number(outcome.item.bytes) <= maxBytes) return { allowed: true };
  cacheRefusal({ group }, caller, endMs);
  return refusal({ windowMs }, endMs - nowMs);
}

/** The cached refusal of a caller over the limit; undefined when only the table can tell. */
export function cachedByteRefusal({ group }: ByteLimit, caller: string, nowMs: number): Refusal | undefined {
  return cachedRefusal({ group, windowMs }, caller, nowMs);
}

/**
 * Adds bytes to the count with the next request of the caller to this execution environment, for a request that has no
 * round trip left to count in. What is owed is lost when the environment ends before such a request.
 */
export function countBytesLater({ group }: ByteLimit, caller: string, bytes: number): void {
  addUncounted(keys.rateLimit(group, caller).pk, bytes);
}

function takeUncounted(pk: string): number {
  const bytes = uncounted.get(pk) ?? 0;
  uncounted.delete(pk);
  return bytes;
}

function addUncounted(pk: string, bytes: number): void {
  const total = takeUncounted(pk) + bytes;
  const oldest = uncounted.size >= maxCallers ? uncounted.keys().next().value : undefined;
  if (oldest !== undefined) uncounted.delete(oldest);
  if (total > 0) uncounted.set(pk, total);
}
