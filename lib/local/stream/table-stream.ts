import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { consumerTimeoutMs } from '../../deployment/stream.ts';
import type { ScheduledWork } from '../clock.ts';
import type { State } from '../state.ts';
import { type Consumer, ConsumerRunner, type DeadLetter } from './consumer.ts';
import { type StreamPosition, StreamReader } from './reader.ts';

export interface TableStreamOptions {
  /** Base URL of the DynamoDB engine. */
  endpoint: string;
  streamArn: string;
  consumers: readonly Consumer[];
  /** Stores how far each consumer has come, and what was given up. */
  state: State;
  /** The local clock, epoch milliseconds. */
  nowMs: () => number;
  report: (context: string, cause: unknown) => void;
  /** Called when `nextDueMs()` may have changed. */
  onChange?: () => void;
  /** In real time, per invocation. */
  timeoutMs?: number;
}

/** The stream is read so often for the changes that other processes make. */
const idlePollMs = 250;
/** Of the records that were given up, the newest are kept. */
const keptDeadLetters = 100;
const deadLettersName = 'stream.deadLetters';

/**
 * Hands the stream of the local table to its consumers, as event source mappings do: in order, at least once, each
 * consumer at its own pace. It works in the background. A failed record is due again after a pause on the local clock.
 */
export class TableStream implements ScheduledWork {
  readonly #client: DynamoDBStreamsClient;
  readonly #runners: readonly ConsumerRunner[];
  readonly #options: TableStreamOptions;
  readonly #poll: NodeJS.Timeout | undefined;
  #stopped = false;
  #failing = false;

  constructor(options: TableStreamOptions) {
    this.#options = options;
    const { endpoint, streamArn, consumers, state, nowMs, timeoutMs = consumerTimeoutMs } = options;
    // Credentials and region come from the environment, as for the handlers.
    this.#client = new DynamoDBStreamsClient({ endpoint });
    this.#runners = consumers.map((consumer) => {
      const name = `stream.${consumer.id}`;
      const position = state.get(name) as StreamPosition | undefined;
      return new ConsumerRunner({
        consumer,
        reader: new StreamReader(this.#client, streamArn, position),
        nowMs,
        save: (reached) => state.set(name, reached),
        giveUp: (letter) => this.#keep(letter),
        timeoutMs,
      });
    });
    if (this.#runners.length === 0) return;
    this.#poll = setInterval(() => this.wake(), idlePollMs);
    this.#poll.unref();
    this.wake();
  }

  /** Reads the stream soon: something may have been written. */
  wake(): void {
    for (const runner of this.#runners) void this.#run(runner);
  }

  /** When a record that failed is handed over again. */
  nextDueMs(): number | undefined {
    const times = this.#runners.flatMap(({ retryAtMs }) => (retryAtMs === undefined ? [] : [retryAtMs]));
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Hands over again what is due. It does not wait: a consumer that hangs must not stop the clock. */
  async runDue(): Promise<void> {
    this.wake();
  }

  /** Resolves when all that was written by now is handed over, or waits because it has failed. */
  async idle(): Promise<void> {
    if (!this.#stopped) await Promise.all(this.#runners.map((runner) => this.#run(runner)));
  }

  isBusy(): boolean {
    return !this.#stopped && this.#runners.some(({ isBusy }) => isBusy);
  }

  /** Records that were given up, oldest first. */
  deadLetters(): DeadLetter[] {
    return (this.#options.state.get(deadLettersName) as DeadLetter[] | undefined) ?? [];
  }

  /** Hands over nothing more, and resolves when what was handed over is done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#poll);
    await Promise.allSettled(this.#runners.map((runner) => runner.stop()));
    this.#client.destroy();
  }

  async #run(runner: ConsumerRunner): Promise<void> {
    try {
      await runner.run();
      this.#failing = false;
    } catch (error) {
      // Reported once, and not at every poll.
      if (!this.#stopped && !this.#failing) this.#options.report('stream of the table', error);
      this.#failing = true;
    }
    if (!this.#stopped && runner.retryAtMs !== undefined) this.#options.onChange?.();
  }

  #keep(letter: DeadLetter): void {
    const { state, report } = this.#options;
    state.set(deadLettersName, [...this.deadLetters(), letter].slice(-keptDeadLetters));
    report(`${letter.consumer} gave up ${letter.key}`, letter.cause);
  }
}
