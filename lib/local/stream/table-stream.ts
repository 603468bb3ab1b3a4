import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { consumerTimeoutMs } from '../../deployment/stream.ts';
import type { BackgroundWork, ScheduledWork } from '../clock.ts';
import type { State } from '../state.ts';
import { type Consumer, ConsumerRunner } from './consumer.ts';
import { type StreamPosition, StreamReader } from './reader.ts';

interface TableStreamOptions {
  endpoint: string;
  streamArn: string;
  consumers: readonly Consumer[];
  state: State;
  nowMs: () => number;
  report: (context: string, cause: unknown) => void;
  timeoutMs?: number;
}

/** The stream is read so often for the changes that other processes make. */
const idlePollMs = 250;

/**
 * Hands the stream of the local table to its consumers, as event source mappings do: in order, at least once, each
 * consumer at its own pace. It works in the background. A failed record is due again after a pause on the local clock.
 */
export class TableStream implements ScheduledWork, BackgroundWork {
  readonly #client: DynamoDBStreamsClient;
  readonly #runners: readonly ConsumerRunner[];
  readonly #report: TableStreamOptions['report'];
  readonly #poll: NodeJS.Timeout;
  #stopped = false;
  #failing = false;

  constructor(options: TableStreamOptions) {
    const { endpoint, streamArn, consumers, state, timeoutMs = consumerTimeoutMs, nowMs, report } = options;
    this.#report = report;
    // Credentials and region come from the environment, as for the handlers.
    this.#client = new DynamoDBStreamsClient({ endpoint });
    this.#runners = consumers.map((consumer) => {
      const name = `stream.${consumer.id}`;
      const position = state.get<StreamPosition>(name);
      const reader = new StreamReader(this.#client, streamArn, position);
      const save = (reached: StreamPosition) => state.set(name, reached);
      return new ConsumerRunner({ consumer, reader, save, nowMs, report, timeoutMs });
    });
    this.#poll = setInterval(() => this.wake(), idlePollMs).unref();
    this.wake();
  }

  /** Reads the stream soon: something may have been written. */
  wake(): void {
    for (const runner of this.#runners) void this.#run(runner);
  }

  /** When a record that failed is handed over again. */
  nextDueMs(): number | undefined {
    return this.#runners
      .flatMap(({ retryAtMs }) => retryAtMs ?? [])
      .sort((a, b) => a - b)
      .at(0);
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
      if (!this.#stopped && !this.#failing) this.#report('stream of the table', error);
      this.#failing = true;
    }
  }
}
