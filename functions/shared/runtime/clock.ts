/** The one module that reads the clock. All other code takes the time as an argument. */

/** Now, in epoch milliseconds. */
export function nowMs(): number {
  return Date.now();
}

/** The clock as a dependency: a function that needs the time takes `{ clock }`, and calls a moment `nowMs`. */
export const clock = { nowMs };
export type Clock = typeof clock;

/** ISO 8601 in UTC with milliseconds. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** A monotonic clock in milliseconds, for measuring durations. */
export function elapsedMs(): number {
  return performance.now();
}
