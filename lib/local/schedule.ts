import { minuteMs } from '../../functions/shared/runtime/duration.ts';
import type { RegisteredTimer } from '../../functions/timers.ts';
import type { ScheduledWork } from './clock.ts';

interface ScheduleOptions {
  entry: RegisteredTimer;
  everyMinutes: number;
  run: (entry: RegisteredTimer) => Promise<unknown>;
  nowMs: () => number;
  report: (context: string, cause: unknown) => void;
}

/**
 * Runs one timer by the local clock, as EventBridge does in a deployment. A clock that is moved runs it once, however
 * far it moves: a year has 100,000 runs of a five-minute timer, and each run catches up on the missed ones.
 */
export class Schedule implements ScheduledWork {
  readonly oncePerMove = true;
  readonly #options: ScheduleOptions;
  #dueMs: number;

  constructor(options: ScheduleOptions) {
    this.#options = options;
    // Due at once: the previous process may have left work undone.
    this.#dueMs = options.nowMs();
  }

  nextDueMs(): number {
    return this.#dueMs;
  }

  async runDue(): Promise<void> {
    const { entry, everyMinutes, run, nowMs, report } = this.#options;
    if (nowMs() < this.#dueMs) return;
    this.#dueMs = nowMs() + everyMinutes * minuteMs;
    // A failed run must not stop the clock.
    await run(entry).catch((error: unknown) => report(entry.id, error));
  }
}
