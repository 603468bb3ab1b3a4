import type { DynamoDBBatchResponse } from 'aws-lambda';

export interface Batch<T> {
  readonly records: readonly T[];
  /** How often they were handed over and failed; splits do not count. */
  readonly failures: number;
  /** When they were read, epoch milliseconds. */
  readonly sinceMs: number;
}

/** The records of a batch that an invocation left. */
export interface Remainder<T> {
  readonly batches: readonly Batch<T>[];
  /** Whether the first of them has failed as it is, so that a pause is due. */
  readonly hasFailed: boolean;
}

/**
 * The records that Lambda hands over again, with `BisectBatchOnFunctionError` and `ReportBatchItemFailures`:
 *
 * - nothing, when the function names no failed item
 * - the records from the first failed item on, when it names one
 * - the two halves of the batch, when the function fails or the first record does; this counts as no retry
 *
 * https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html,
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
 */
export function remainder<T>(batch: Batch<T>, firstFailed: number | undefined): Remainder<T> {
  if (firstFailed === undefined) return { batches: [], hasFailed: false };
  const { records, failures, sinceMs } = batch;
  if (firstFailed > 0) {
    const rest = { records: records.slice(firstFailed), failures, sinceMs };
    return { batches: [rest], hasFailed: false };
  }
  if (records.length === 1)
    return { batches: [{ records, failures: failures + 1, sinceMs }], hasFailed: true };
  const middle = Math.ceil(records.length / 2);
  const halves = [records.slice(0, middle), records.slice(middle)];
  return { batches: halves.map((half) => ({ records: half, failures, sinceMs })), hasFailed: false };
}

/**
 * The index of the first failed record that a response names; undefined when it names none. A response that names no
 * record of the batch is a failure of all.
 */
export function firstFailedIndex(
  response: DynamoDBBatchResponse | null | undefined,
  sequenceNumbers: readonly (string | undefined)[],
): number | undefined {
  const failures = response?.batchItemFailures ?? [];
  if (failures.length === 0) return undefined;
  const indexes = failures.map(({ itemIdentifier }) => sequenceNumbers.indexOf(itemIdentifier));
  return Math.max(0, Math.min(...indexes));
}
