import type { Json } from './expression.ts';

const rfc3339 = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/**
 * The time of a Wait's `Timestamp` in epoch milliseconds; undefined when it is not an RFC 3339 time.
 *
 * Precise to the millisecond. Step Functions truncates to the second and ends a wait up to 999 ms early. Here a task could
 * not wait for the rest, because the clock does not run while a move has stopped it.
 *
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/state-wait.html
 */
export function timestampMs(value: Json): number | undefined {
  const day = typeof value === 'string' ? rfc3339.exec(value)?.[1] : undefined;
  if (typeof value !== 'string' || day === undefined) return undefined;
  // Date would read February 30th as March 2nd.
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return undefined;
  return Date.parse(value);
}
