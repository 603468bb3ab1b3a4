import { keys, tableSchema } from '../contract/keys.ts';
import type { Limit } from '../contract/route.ts';
import { getItem, type Item, type Update, updateItem } from './table.ts';

/** Whether a request passes, or after how many whole seconds the same request will. */
export type Verdict = { allowed: true } | Refusal;
export type Refusal = { allowed: false; retryAfterSeconds: number };

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
export async function consume(limit: Limit, caller: string, nowMs: number): Promise<Verdict> {
  const known = cachedRefusal(limit, caller, nowMs);
  if (known !== undefined) return known;
  const key = keys.rate(limit.group, caller);
  const outcome = await updateItem(key, slidingWindowUpdate(limit, nowMs));
  if (outcome.done) return { allowed: true };
  const freeMs = nextAllowedAtMs(limit, outcome.refused) ?? nowMs + limit.windowMs;
  remember(key.pk, freeMs);
  return refusal(limit, freeMs - nowMs);
}

/** The refusal of a caller who is known to be over the limit; undefined when the table has to be asked. */
export function cachedRefusal(limit: Limit, caller: string, nowMs: number): Refusal | undefined {
  const { pk } = keys.rate(limit.group, caller);
  const untilMs = refusedUntilMs.get(pk);
  if (untilMs === undefined) return undefined;
  if (nowMs < untilMs) return refusal(limit, untilMs - nowMs);
  refusedUntilMs.delete(pk);
  return undefined;
}

/** Whether a hit would be let through now; counts nothing. */
export async function peek(limit: Limit, caller: string, nowMs: number): Promise<Verdict> {
  const freeMs = nextAllowedAtMs(limit, await getItem(keys.rate(limit.group, caller))) ?? 0;
  return freeMs > nowMs ? refusal(limit, freeMs - nowMs) : { allowed: true };
}

/** When the log lets the next hit through (epoch ms): once its N-th last has left the window. */
export function nextAllowedAtMs({ max, windowMs }: Window, log: Item | undefined): number | undefined {
  const oldestMs = log?.[slot(max - 1)];
  return typeof oldestMs === 'number' ? oldestMs + windowMs : undefined;
}

type Window = Pick<Limit, 'max' | 'windowMs'>;

const slot = (n: number, log = 'h'): string => `${log}${n}`;

/**
 * The write that counts one hit, under the condition that it is within the limit.
 *
 * @param log begins the names of the attributes, where one item has several logs.
 */
export function slidingWindowUpdate({ max, windowMs }: Window, nowMs: number, log = 'h'): Required<Update> {
  const moves = Array.from(
    { length: max - 1 },
    (_, i) => `${slot(i + 1, log)}=if_not_exists(${slot(i, log)},:never)`,
  );
  const last = slot(max - 1, log);
  return {
    UpdateExpression: `SET ${[`${slot(0, log)}=:now`, ...moves, '#ttl=:expires'].join(', ')}`,
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

export function refusal({ windowMs }: Pick<Window, 'windowMs'>, waitMs: number): Refusal {
  const seconds = Math.ceil(waitMs / 1000);
  return { allowed: false, retryAfterSeconds: Math.min(Math.max(seconds, 1), Math.ceil(windowMs / 1000)) };
}

function remember(pk: string, untilMs: number): void {
  const oldest = refusedUntilMs.size >= rememberedCallers ? refusedUntilMs.keys().next().value : undefined;
  if (oldest !== undefined) refusedUntilMs.delete(oldest);
  refusedUntilMs.set(pk, untilMs);
}
