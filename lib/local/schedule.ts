import type { RegisteredTimer } from '../../functions/timers.ts';
import type { Timed } from './clock.ts';

interface ScheduleOptions {
  entry: RegisteredTimer;
  everyMinutes: number;
  run: (entry: RegisteredTimer) => Promise<unknown>;
  /** The local clock, epoch milliseconds. */
  nowMs: () => number;
  report: (context: string, cause: unknown) => void;
}

/**
 * Runs one timer by the local clock, as EventBridge does in a deployment; but once for a clock that is moved, however
 * far: a year holds 100,000 runs of a timer of five minutes, and a missed run is made up for by the next.
 */
export class Schedule implements Timed {
  readonly onceAMove = true;
  readonly #options: ScheduleOptions;
  #dueMs: number;

  constructor(options: ScheduleOptions) {
    this.#options = options;
    // What was left undone by the last process is taken up at once.
    this.#dueMs = options.nowMs();
  }

  nextDueMs(): number {
    return this.#dueMs;
  }

  async runDue(): Promise<void> {
    const { entry, everyMinutes, run, nowMs, report } = this.#options;
    if (nowMs() < this.#dueMs) return;
    this.#dueMs = nowMs() + everyMinutes * 60_000;
    // One that fails is no reason for the clock to stand still.
    await run(entry).catch((error: unknown) => report(entry.id, error));
  }
}
