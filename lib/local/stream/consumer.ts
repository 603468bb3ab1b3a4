import type { _Record } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBBatchResponse } from 'aws-lambda';
import { secondMs } from '../../../functions/shared/runtime/clock.ts';
import type { RegisteredTimer } from '../../../functions/timers.ts';
import {
  type FilterPattern,
  filterPattern,
  type StreamSettings,
  streamSettings,
  type TextCondition,
} from '../../deployment/stream.ts';
import { withTimeLimit } from '../time-limit.ts';
import type { PositionedRecord, StreamPosition, StreamReader } from './reader.ts';

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
  response: unknown,
  sequenceNumbers: readonly (string | undefined)[],
): number | undefined {
  const { batchItemFailures: failures }: DynamoDBBatchResponse = Object(response);
  if (failures === undefined || failures.length === 0) return undefined;
  const indexes = failures.map(({ itemIdentifier }) => sequenceNumbers.indexOf(itemIdentifier));
  return Math.max(0, Math.min(...indexes));
}

/**
 * Whether a record matches a filter pattern: every field that the pattern names is there and meets one of its conditions.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
export function matches(pattern: FilterPattern, record: unknown): boolean {
  return Object.entries(pattern).every(([field, condition]) => {
    const value: unknown =
      typeof record === 'object' && record !== null ? Reflect.get(record, field) : undefined;
    return isCondition(condition) ? meets(condition, value) : matches(condition, value);
  });
}

function isCondition(condition: TextCondition | FilterPattern): condition is TextCondition {
  return Array.isArray(condition);
}

function meets(condition: TextCondition, value: unknown): boolean {
  return (
    typeof value === 'string' &&
    condition.some((one) => (typeof one === 'string' ? value === one : value.startsWith(one.prefix)))
  );
}

export interface Consumer {
  /** Id of the timer in the registry. */
  id: string;
  pattern: FilterPattern;
  settings: Pick<StreamSettings, 'batchSize' | 'retryAttempts' | 'maxRecordAgeMs'>;
  invoke: (event: { Records: object[] }) => Promise<unknown>;
}

/** The consumer of a timer that takes the stream; none of any other timer. */
export function consumerOf(
  entry: RegisteredTimer,
  run: (entry: RegisteredTimer, event: object) => Promise<unknown>,
): Consumer[] {
  const { id, timer } = entry;
  if (timer.stream === undefined) return [];
  const pattern = filterPattern(timer.stream);
  return [{ id, pattern, settings: streamSettings(timer), invoke: (event) => run(entry, event) }];
}

interface RunnerOptions {
  consumer: Consumer;
  reader: StreamReader;
  nowMs: () => number;
  save: (position: StreamPosition) => void;
  report: (context: string, cause: unknown) => void;
  /** In real time: a function that never returns must not hold up the stream. */
  timeoutMs: number;
}

const firstPauseMs = 100;
const longestPauseMs = 10 * secondMs;

/** Hands the stream to one consumer, in order and at its own pace: the next batch follows when the former is done. */
export class ConsumerRunner {
  readonly #options: RunnerOptions;
  #batches: Batch<PositionedRecord>[] = [];
  #retryAtMs: number | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  get retryAtMs(): number | undefined {
    return this.#running === undefined ? this.#retryAtMs : undefined;
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** Reads on until nothing is left, or a batch has failed and waits. A run in progress reads once more. */
  run(): Promise<void> {
    this.#again = true;
    this.#running ??= this.#drain();
    return this.#running;
  }

  /** Hands over no more, and resolves when the batch in progress is done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #drain(): Promise<void> {
    // The caller stores the promise of this run before the run can end.
    await Promise.resolve();
    try {
      while (!this.#stopped && !this.#waits()) {
        const batch = this.#batches.shift();
        if (batch !== undefined) await this.#handOver(batch);
        else if (this.#again) await this.#readOn();
        else return;
      }
    } finally {
      this.#running = undefined;
    }
  }

  #waits(): boolean {
    if (this.#retryAtMs === undefined || this.#retryAtMs <= this.#options.nowMs()) return false;
    this.#again = false;
    return true;
  }

  async #readOn(): Promise<void> {
    const { consumer, reader, nowMs } = this.#options;
    this.#again = false;
    const page = await reader.read();
    // There may be more behind a page with records.
    if (page.length > 0) this.#again = true;
    const taken = page.filter(({ record }) => matches(consumer.pattern, record));
    const { batchSize } = consumer.settings;
    const sinceMs = nowMs();
    for (let start = 0; start < taken.length; start += batchSize) {
      this.#batches.push({ records: taken.slice(start, start + batchSize), failures: 0, sinceMs });
    }
    const last = page.at(-1);
    if (last !== undefined && taken.length === 0) this.#save(last.position);
  }

  async #handOver(batch: Batch<PositionedRecord>): Promise<void> {
    this.#retryAtMs = undefined;
    const { firstFailed, cause } = await this.#invoke(batch);
    if (this.#stopped) return;
    const left = remainder(batch, firstFailed);
    this.#batches.unshift(...left.batches);
    const handled = firstFailed === undefined ? batch.records.length : firstFailed;
    const last = batch.records[handled - 1];
    if (last !== undefined) this.#save(last.position);
    if (!left.hasFailed) return;
    if (this.#isGivenUp(batch)) this.#giveUp(cause);
    else this.#retryAtMs = this.#options.nowMs() + pauseMs(batch.failures);
  }

  async #invoke({ records, sinceMs }: Batch<PositionedRecord>) {
    const { consumer, timeoutMs } = this.#options;
    const numbers = records.map(({ record }) => record.dynamodb?.SequenceNumber);
    const Records = records.map(({ record, position }) => asEvent(record, position.streamArn, sinceMs));
    try {
      const response = await withTimeLimit(timeoutMs, consumer.invoke({ Records }), () => {
        throw new Error(`Task timed out after ${timeoutMs / secondMs} seconds`);
      });
      const firstFailed = firstFailedIndex(response, numbers);
      return { firstFailed, cause: 'The function reported the record as failed.' };
    } catch (error) {
      return { firstFailed: 0, cause: error };
    }
  }

  #isGivenUp({ failures, sinceMs }: Batch<PositionedRecord>): boolean {
    const { consumer, nowMs } = this.#options;
    const { retryAttempts, maxRecordAgeMs } = consumer.settings;
    return failures >= retryAttempts || nowMs() - sinceMs > maxRecordAgeMs;
  }

  #giveUp(cause: unknown): void {
    const { consumer, report } = this.#options;
    for (const { record, position } of this.#batches.shift()?.records ?? []) {
      const { pk, sk } = record.dynamodb?.Keys ?? {};
      report(`${consumer.id} gave up ${pk?.S} ${sk?.S}`, cause);
      this.#save(position);
    }
  }

  #save(position: StreamPosition): void {
    if (!this.#stopped) this.#options.save(position);
  }
}

function pauseMs(failures: number): number {
  return Math.min(firstPauseMs * 2 ** failures, longestPauseMs);
}

/** A record as Lambda receives it, with its time in seconds. The engine's own times do not follow the local clock. */
function asEvent(record: _Record, eventSourceARN: string, createdMs: number): object {
  const dynamodb = { ...record.dynamodb, ApproximateCreationDateTime: Math.floor(createdMs / secondMs) };
  return { ...record, eventSourceARN, dynamodb };
}
