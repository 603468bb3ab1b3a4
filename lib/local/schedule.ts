import type { RegisteredTimer } from '../../functions/timers.ts';
import type { Timed } from './clock.ts';

/** Runs that come closer together than this, in the system's time, are those of a clock that is being moved. */
const togetherMs = 1_000;

/**
 * Runs one timer by the local clock, as EventBridge does in a deployment.
 *
 * While the clock is moved far ahead it runs more and more rarely, twice as far apart each time: a year holds
 * 100,000 runs of a timer of five minutes, and a missed run is made up for by the next.
 */
export class Schedule implements Timed {
  readonly #options: ScheduleOptions;
  readonly #periodMs: number;
  #dueMs: number;
  #gapMs: number;
  #lastSystemMs = Number.NEGATIVE_INFINITY;

  constructor(options: ScheduleOptions) {
    this.#options = options;
    this.#periodMs = options.entry.timer.everyMinutes * 60_000;
    this.#gapMs = this.#periodMs;
    // What was left undone by the last process is taken up at once.
    this.#dueMs = options.nowMs();
  }

  nextDueMs(): number {
    return this.#dueMs;
  }

  async runDue(): Promise<void> {
    const { entry, run, nowMs, systemNow = () => performance.now(), report } = this.#options;
    if (nowMs() < this.#dueMs) return;
    const systemMs = systemNow();
    this.#gapMs = systemMs - this.#lastSystemMs < togetherMs ? this.#gapMs * 2 : this.#periodMs;
    this.#lastSystemMs = systemMs;
    this.#dueMs = nowMs() + this.#gapMs;
    // One that fails is no reason for the clock to stand still.
    await run(entry).catch((error: unknown) => report(entry.id, error));
  }
}

interface ScheduleOptions {
  entry: RegisteredTimer;
  run: (entry: RegisteredTimer) => Promise<unknown>;
  /** The local clock, epoch milliseconds. */
  nowMs: () => number;
  /** The system's, milliseconds from any moment. */
  systemNow?: () => number;
  report: (context: string, cause: unknown) => void;
}
