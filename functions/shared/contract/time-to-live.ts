import { tableSchema } from './table-schema.ts';

/** The attribute from which the table may delete an item. @param atMs epoch milliseconds. */
export const timeToLive = (atMs: number) =>
  ({ [tableSchema.timeToLive]: expirySeconds(atMs) }) as { [tableSchema.timeToLive]: number };

/**
 * A time as the value of that attribute: epoch seconds, rounded up.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-before-you-start.html
 *
 * @param atMs epoch milliseconds.
 */
export const expirySeconds = (atMs: number): number => Math.ceil(atMs / 1000);
