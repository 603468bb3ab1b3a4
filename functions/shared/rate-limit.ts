import type { Limit } from './contract.ts';
import { keys, tableSchema } from './keys.ts';
import { type Update, updateItem } from './table.ts';

/** Whether a request passes, or after how many whole seconds the same request will. */
export type Verdict = { allowed: true } | { allowed: false; retryAfterSeconds: number };

/**
 * Until when a refused caller stays refused (epoch ms), so that a flood costs no writes.
 *
 * Nobody can pass before that moment, because only a passing hit changes the log. Entries live until then at
 * the longest; the oldest give way beyond `rememberedCallers`.
 */
const refusedUntilMs = new Map<string, number>();
const rememberedCallers = 10_000;

/**
 * Counts a request against an exact sliding window, in one conditional write.
 *
 * `h0` to `h(N-1)` are the times of the last N hits, newest first. Each accepted hit shifts them by one, every
 * action of an update seeing the values from before it, under the condition that the N-th last hit has left
 * the window. So no interval of `windowMs`, wherever it starts, ever holds more than `max` accepted hits.
 * A hit exactly `windowMs` old has left the window.
 *
 * Should the SDK resend a write whose answer was lost, the hit counts twice: never too lenient.
 */
export async function hit(limit: Limit, caller: string, nowMs: number): Promise<Verdict> {
  const key = keys.rate(limit.group, caller);
  const rememberedMs = refusedUntilMs.get(key.pk);
  if (rememberedMs !== undefined) {
    if (nowMs < rememberedMs) return refusal(limit, rememberedMs - nowMs);
    refusedUntilMs.delete(key.pk);
  }

  const outcome = await updateItem(key, shift(limit, nowMs));
  if (outcome.done) return { allowed: true };

  const oldestMs = Number(outcome.refused?.[slot(limit.max - 1)] ?? nowMs);
  remember(key.pk, oldestMs + limit.windowMs);
  return refusal(limit, oldestMs + limit.windowMs - nowMs);
}

const slot = (n: number): string => `h${n}`;

function shift({ max, windowMs }: Limit, nowMs: number): Update {
  const moves = Array.from({ length: max - 1 }, (_, i) => `${slot(i + 1)}=if_not_exists(${slot(i)},:never)`);
  const last = slot(max - 1);
  return {
    UpdateExpression: `SET ${[`${slot(0)}=:now`, ...moves, '#ttl=:expires'].join(', ')}`,
    ConditionExpression: `attribute_not_exists(${last}) OR ${last} <= :cutoff`,
    ExpressionAttributeNames: { '#ttl': tableSchema.timeToLive },
    ExpressionAttributeValues: {
      ':now': nowMs,
      ':cutoff': nowMs - windowMs,
      ':expires': Math.ceil((nowMs + windowMs) / 1000),
      ...(max > 1 ? { ':never': 0 } : {}),
    },
  };
}

function refusal({ windowMs }: Limit, waitMs: number): Verdict {
  const seconds = Math.ceil(waitMs / 1000);
  return { allowed: false, retryAfterSeconds: Math.min(Math.max(seconds, 1), Math.ceil(windowMs / 1000)) };
}

function remember(pk: string, untilMs: number): void {
  const oldest = refusedUntilMs.size >= rememberedCallers ? refusedUntilMs.keys().next().value : undefined;
  if (oldest !== undefined) refusedUntilMs.delete(oldest);
  refusedUntilMs.set(pk, untilMs);
}
