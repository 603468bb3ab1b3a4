/**
 * The arithmetic of an exact sliding window. Pure: `rate-limit.ts` makes its write.
 *
 * `h0` to `h(N-1)` are the times of the last N allowed requests, newest first. Each allowed request shifts
 * them by one: all actions of an update see the values from before it. The condition is that the N-th last
 * request has left the window. No interval of `windowMs`, wherever it starts, therefore contains more than
 * `max` allowed requests. A request that is exactly `windowMs` old has left the window.
 */

import { defined } from '../contract/defined.ts';
import { expirySeconds } from '../contract/keys.ts';
import type { Limit } from '../contract/route.ts';
import type { Condition, Update } from './table.ts';

/** Whether a request is allowed, or after how many whole seconds it will be. */
export type Verdict = { allowed: true } | Refusal;
export type Refusal = { allowed: false; retryAfterSeconds: number };

type Window = Pick<Limit, 'max' | 'windowMs'>;

const slot = (n: number): string => `h${n}`;

/** When the next request is allowed (epoch ms): once the N-th last has left the window. Undefined: now. */
export function nextAllowedAtMs(
  { max, windowMs }: Window,
  log: Readonly<Record<string, unknown>> | undefined,
): number | undefined {
  const oldestMs = log?.[slot(max - 1)];
  return typeof oldestMs === 'number' ? oldestMs + windowMs : undefined;
}

/** The update that counts one request, on the condition that it is within the limit. */
export function slidingWindowUpdate({ max, windowMs }: Window, nowMs: number): Update & Condition {
  const shifts = Array.from({ length: max - 1 }, (_, i) => `${slot(i + 1)}=if_not_exists(${slot(i)},:never)`);
  const last = slot(max - 1);
  return {
    UpdateExpression: `SET ${[`${slot(0)}=:now`, ...shifts, '#ttl=:expires'].join(', ')}`,
    ConditionExpression: `attribute_not_exists(${last}) OR ${last} <= :cutoff`,
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
