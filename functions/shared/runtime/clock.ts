/** The one place that reads the time. Everything else takes it as an argument. */

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

/** Milliseconds since any moment, by a clock that is never set: for how long something takes. */
export function elapsedMs(): number {
  return performance.now();
}
