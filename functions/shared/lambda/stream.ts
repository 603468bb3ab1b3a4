import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import type { Key } from '../contract/keys.ts';
import type { Timer } from '../contract/route.ts';
import { tableSchema } from '../contract/table-schema.ts';
import { nowMs } from '../runtime/clock.ts';
import { recordRun } from '../runtime/log.ts';

export interface FailedItem {
  key: Key;
  cause: unknown;
}

/**
 * A Lambda handler that the stream of the table invokes with the keys of new items, in the order in which each item changed.
 * It may get an item twice, late, or concurrently with itself.
 *
 * An item that fails is handed over again, with all that follow it in its shard: the response names the first one
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html). What fails for good is left to the
 * dead-letter queue and to the sweep.
 *
 * @param consume handles a batch of distinct keys. @returns the items that failed.
 */
export function consumer(
  timer: Timer,
  consume: (keys: readonly Key[]) => Promise<readonly FailedItem[]>,
): (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse> {
  return async ({ Records }) => {
    const startedAtMs = nowMs();
    const records = Records.map(({ dynamodb }) => ({
      sequenceNumber: dynamodb?.SequenceNumber ?? '',
      key: {
        pk: dynamodb?.Keys?.[tableSchema.partitionKey]?.S ?? '',
        sk: dynamodb?.Keys?.[tableSchema.sortKey]?.S ?? '',
      },
    }));
    const distinct = new Map(records.map(({ key }) => [textOf(key), key]));
    const record = (failed: number, cause?: unknown) => {
      const counts = { records: records.length, failed };
      recordRun({ timer: timer.summary, durationMs: nowMs() - startedAtMs, ...counts }, cause);
    };
    try {
      const failures = await consume([...distinct.values()]);
      record(failures.length, failures[0]?.cause);
      const failed = new Set(failures.map(({ key }) => textOf(key)));
      const identifiers = records.filter(({ key }) => failed.has(textOf(key)));
      return {
        batchItemFailures: identifiers.map(({ sequenceNumber }) => ({ itemIdentifier: sequenceNumber })),
      };
    } catch (error) {
      record(records.length, error);
      throw error;
    }
  };
}

const textOf = ({ pk, sk }: Key) => `${pk} ${sk}`;
