/** The one module that reads the clock. All other code takes the time as an argument. */

/** Now, in epoch milliseconds. */
export function nowMs(): number {
  return Date.now();
}

/** ISO 8601 in UTC with milliseconds. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** A monotonic clock in milliseconds, for measuring durations. */
export function elapsedMs(): number {
  return performance.now();
}
