import type { StreamFilter, Timer } from '../../functions/shared/contract/route.ts';
import { hourMs, minuteMs } from '../../functions/shared/runtime/clock.ts';

/** A condition of a filter: the text starts with the prefix, or is one of those listed. */
export type TextCondition = readonly string[] | readonly { readonly prefix: string }[];

/** A filter pattern of Lambda: each named field of a record meets its condition. */
export interface FilterPattern {
  readonly [field: string]: TextCondition | FilterPattern;
}

/**
 * The new items that a consumer takes, as a filter pattern of its event source mapping. The local stack judges records by
 * the same pattern. https://docs.aws.amazon.com/lambda/latest/dg/with-ddb-filtering.html
 */
export function filterPattern({ partitions, sortKeyPrefix }: StreamFilter): FilterPattern {
  return {
    eventName: ['INSERT'],
    dynamodb: {
      Keys: { pk: { S: [{ prefix: `${partitions}#` }] }, sk: { S: [{ prefix: sortKeyPrefix }] } },
    },
  };
}

/** How the stream is handed to a consumer. */
export interface StreamSettings {
  /** The most records of an invocation. */
  readonly batchSize: number;
  /** How many batches of a shard are handled concurrently. The records of one partition key stay in order. */
  readonly parallelizationFactor: number;
  /** How often a record is handed over again. A split of its batch does not count. */
  readonly retryAttempts: number;
  /** A record that is older is given up. The stream itself keeps records for 24 hours. */
  readonly maxRecordAgeMs: number;
}

/**
 * The settings of a consumer, the same in a deployment and locally.
 *
 * A mail takes a good tenth of a second. A consumer that sends mail gets few at a time, so that a failed invocation repeats
 * few, and two batches of a shard at once. Any other consumer gets many: a burst of events fills the batches of deliveries, so
 * that an endpoint that hangs holds few functions. It gets one batch at a time, because concurrent ones would
 * contend for the same records.
 *
 * A record that fails is tried for an hour at most, because the records behind it wait. The sweeps find a record that was
 * given up.
 */
export function streamSettings({ grants }: Timer): StreamSettings {
  const sendsMail = grants.uses?.some((use) => use === 'mail' || use === 'rawMail') ?? false;
  return {
    batchSize: sendsMail ? 10 : 1_000,
    parallelizationFactor: sendsMail ? 2 : 1,
    retryAttempts: 10,
    maxRecordAgeMs: hourMs,
  };
}

/** The timeout of a consumer. It bounds how long one that hangs holds up its shard; a batch takes a few seconds. */
export const consumerTimeoutMs = minuteMs;
