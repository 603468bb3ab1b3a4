import { dayMs, hourMs, minuteMs, secondMs } from '../../shared/runtime/clock.ts';

/** The time between two attempts of a delivery, from the first attempt on: the example of Standard Webhooks. */
const delaysMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];

/** How long an endpoint may ask to be left alone. */
const maxRetryAfterMs = dayMs;

/**
 * When the attempt after a failed one is due.
 *
 * The delay of the schedule varies by up to a tenth: between 90 % and 110 %. An endpoint that asks for a longer delay in
 * `Retry-After` gets it, up to 24 hours. It cannot shorten the schedule. The result is a whole second, rounded up, because
 * a state machine waits in whole seconds, and must not end a wait early.
 *
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#retry-schedule-example
 *
 * @param attempts of the schedule that have failed, from 1.
 * @param fraction random, from 0 up to 1.
 * @returns undefined when the schedule is exhausted.
 */
export function nextAttemptMs(
  attempts: number,
  { failedAtMs, fraction, retryAfterMs = 0 }: { failedAtMs: number; fraction: number; retryAfterMs?: number },
): number | undefined {
  const delayMs = delaysMs[attempts - 1];
  if (delayMs === undefined) return undefined;
  const variedMs = delayMs * (0.9 + 0.2 * fraction);
  const dueMs = failedAtMs + Math.max(variedMs, Math.min(retryAfterMs, maxRetryAfterMs));
  return Math.ceil(dueMs / secondMs) * secondMs;
}

/** How long an endpoint may fail without a success before it is disabled. */
const failingLimitMs = 5 * dayMs;

/** The attempt from which on a failure counts towards disabling: about two and a half hours after the first. */
const lateAttempt = 5;

/**
 * Whether an endpoint has failed for so long that it is disabled. The delivery in hand must have failed for hours as well:
 * an endpoint without events for a week is not disabled by one short failure after it.
 *
 * @param attempt the number of the attempt that has failed, in its schedule.
 */
export function hasFailedForLong(failingSinceMs: number, attempt: number, nowMs: number): boolean {
  return attempt >= lateAttempt && nowMs - failingSinceMs >= failingLimitMs;
}
