/** The only module that reads the system clock. Other code takes `{ clock }` as a dependency, or a moment as `nowMs`. */

export const nowMs = (): number => Date.now();

/** The clock as a dependency, so that tests can replace it. */
export const clock = { nowMs };
export type Clock = typeof clock;

/** The clock by which the receiver of a signature judges its age. Where {@link clock} is moved, this one is not. */
export const signingClock: Clock = { nowMs };

/** ISO 8601 in UTC with milliseconds. */
export const isoTime = (epochMs: number): string => new Date(epochMs).toISOString();

/** {@link isoTime} of a time that may be absent. */
export function optionalIsoTime(epochMs: number | undefined): string | undefined {
  return epochMs === undefined ? undefined : isoTime(epochMs);
}

/** A monotonic clock in milliseconds, for measuring durations. */
export const elapsedMs = (): number => performance.now();

/** Durations in milliseconds. A day is 24 hours: the project counts in UTC, which has no daylight saving time. */
export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
