import { dayMs } from '../shared/runtime/clock.ts';

/** No payment of a service of this century is older: an earlier date is a mistake. */
const earliestValueMs = Date.UTC(2000);
/** Banks book a payment that they announce under the date of the next day at most. */
const maxAheadMs = dayMs;

/**
 * When a reported payment moved, in epoch milliseconds.
 *
 * @param valueDate a date (ISO 8601, 00:00 UTC of that day) or a time; undefined for now.
 * @returns undefined for a date before the year 2000 or more than a day ahead.
 */
export function valueAtMsOf(valueDate: string | undefined, nowMs: number): number | undefined {
  const atMs = valueDate === undefined ? nowMs : Date.parse(valueDate);
  return atMs >= earliestValueMs && atMs <= nowMs + maxAheadMs ? atMs : undefined;
}

export const valueDateProblem = 'must be in the year 2000 or later, and at most a day ahead';
