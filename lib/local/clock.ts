import { secondMs, signingClock } from '../../functions/shared/runtime/clock.ts';
import { inTurn } from './in-turn.ts';
import type { State } from './state.ts';

export interface ScheduledWork {
  nextDueMs(): number | undefined;
  /** Runs what is due by now. Awaits running work, which may set the next due time. */
  runDue(): Promise<void>;
  /** A clock that is moved does not stop for this work: it runs once, at the end of the move. */
  readonly oncePerMove?: boolean;
}

/** Work that runs as soon as it can, and not at set times. */
export interface BackgroundWork {
  idle(): Promise<void>;
  isBusy(): boolean;
}

/**
 * Work at intervals, as of EventBridge in a deployment. A clock that is moved runs it once, however far it moves: a year has
 * 100,000 runs of a five-minute timer, and each run catches up on the missed ones.
 */
export function atIntervals(
  everyMs: number,
  nowMs: () => number,
  run: () => Promise<unknown>,
): ScheduledWork {
  // Due at once: the previous process may have left work undone.
  let dueMs = nowMs();
  return {
    oncePerMove: true,
    nextDueMs: () => dueMs,
    async runDue() {
      if (nowMs() < dueMs) return;
      dueMs = nowMs() + everyMs;
      await run();
    },
  };
}

/** The clock cannot be set to the requested time. The message is for the caller. */
export class ClockError extends Error {}

/** The last millisecond that ISO 8601 writes with a four-digit year. */
const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/** How often the clock looks for what is due while it runs. */
const pollMs = 100;
const retryMs = secondMs;
/** After this number of rounds at one time, the work is considered stuck. */
const maxRounds = 100_000;

interface StoredPosition {
  /** Clock minus system clock. */
  offsetMs: number;
  /** The clock's time when this was stored. The clock never goes below it, even if the system clock is set back. */
  readMs: number;
}

/**
 * A clock that runs like the system clock and can be moved forward, never back. A move runs what is due on the way in
 * order, each at its own time. The position of the clock survives a restart.
 */
export class LocalClock {
  readonly #state: State;
  readonly #systemNow: () => number;
  readonly #report: (error: unknown) => void;
  readonly #timed: ScheduledWork[] = [];
  readonly #background: BackgroundWork[] = [];
  readonly #inTurn = inTurn();
  #offsetMs: number;
  /** The time at which a move has stopped the clock; undefined while the clock runs. */
  #heldMs: number | undefined;
  #alarm: NodeJS.Timeout | undefined;
  #stopped = false;

  /** @param options.report receives failures outside of a request. */
  constructor(state: State, options: { systemNow?: () => number; report?: (error: unknown) => void } = {}) {
    this.#state = state;
    this.#systemNow = options.systemNow ?? Date.now.bind(Date);
    this.#report = options.report ?? (() => undefined);
    const stored = state.get<StoredPosition>('clock');
    this.#offsetMs = Math.max(stored?.offsetMs ?? 0, (stored?.readMs ?? 0) - this.#systemNow());
  }

  nowMs(): number {
    return this.#heldMs ?? Math.floor(this.#systemNow() + this.#offsetMs);
  }

  register(timed: ScheduledWork): void {
    this.#timed.push(timed);
    this.#alarm ??= this.#wakeIn(0);
  }

  /** Time goes on in a move only when this work is idle. */
  waitFor(work: BackgroundWork): void {
    this.#background.push(work);
  }

  /** Resolves when the work that a move waits for is idle, with what one kind of work has left to another. */
  async settled(): Promise<void> {
    do {
      for (const work of this.#background) await work.idle();
    } while (this.#background.some((work) => work.isBusy()));
  }

  /**
   * Moves the clock to a time and runs what is due until then. Resolves when all of it is done. A queued move begins where the
   * previous one ended.
   *
   * @throws ClockError when the time has passed or cannot be written as a date.
   */
  advanceTo(targetMs: number): Promise<void> {
    return this.#inTurn(async () => {
      if (targetMs < this.nowMs()) throw new ClockError('The clock only goes forward.');
      await this.#move(targetMs);
    });
  }

  /** As `advanceTo`, relative to the time at which the move begins. */
  advanceBy(ms: number): Promise<void> {
    return this.#inTurn(() => this.#move(this.nowMs() + ms));
  }

  /** Starts no more work, and resolves when the running work is done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#alarm);
    await this.#inTurn(async () => undefined);
  }

  #wakeIn(ms: number): NodeJS.Timeout {
    const wake = async () => {
      const failed = (error: unknown) => {
        this.#report(error);
        return retryMs;
      };
      const runDue = () => this.#run((dueMs) => dueMs <= this.nowMs());
      const nextMs = await this.#inTurn(runDue).then(() => pollMs, failed);
      if (!this.#stopped) this.#alarm = this.#wakeIn(nextMs);
    };
    return setTimeout(wake, ms).unref();
  }

  async #move(targetMs: number): Promise<void> {
    if (!(targetMs <= lastMs)) throw new ClockError('The clock cannot go beyond the year 9999.');
    // Work that has just started may be about to set a due time on the way.
    for (const timed of this.#timed) await timed.runDue();
    const runOnTheWay = () =>
      this.#run(
        (dueMs, { oncePerMove }) => dueMs <= targetMs && !oncePerMove,
        (dueMs) => this.#hold(Math.max(dueMs, this.nowMs())),
        () => this.settled(),
      );
    try {
      await runOnTheWay();
      this.#hold(Math.max(targetMs, this.nowMs()));
      for (const timed of this.#timed) if (timed.oncePerMove) await timed.runDue();
      // The work that these runs have triggered is part of the move.
      await runOnTheWay();
    } finally {
      this.#heldMs = undefined;
    }
  }

  /** @param arrive is called with each due time. @param before is awaited before each look at what is due. */
  async #run(
    isDue: (dueMs: number, timed: ScheduledWork) => boolean,
    arrive: (dueMs: number) => void = () => undefined,
    before: () => Promise<void> = async () => {},
  ): Promise<void> {
    let rounds = 0;
    let at = Number.NaN;
    for (;;) {
      await before();
      const [next] = this.#timed
        .map((timed) => ({ timed, dueMs: timed.nextDueMs() ?? Number.POSITIVE_INFINITY }))
        .filter(({ timed, dueMs }) => isDue(dueMs, timed))
        .sort((a, b) => a.dueMs - b.dueMs);
      if (next === undefined || this.#stopped) return;
      rounds = next.dueMs === at ? rounds + 1 : 0;
      at = next.dueMs;
      if (rounds > maxRounds)
        throw new Error(`Timers due at ${new Date(at).toISOString()} do not come to an end.`);
      arrive(next.dueMs);
      await next.timed.runDue();
    }
  }

  #hold(ms: number): void {
    this.#heldMs = ms;
    this.#offsetMs = ms - this.#systemNow();
    this.#state.set('clock', { offsetMs: this.#offsetMs, readMs: ms } satisfies StoredPosition);
  }
}

const SystemDate = Date;

/** Runs synchronous work by the system clock, wherever `Date` follows another one. */
export function bySystemDate<T>(work: () => T): T {
  const installed = Date;
  globalThis.Date = SystemDate;
  try {
    return work();
  } finally {
    globalThis.Date = installed;
  }
}

/**
 * Lets what is signed keep the time of the system clock: receivers on this machine refuse a signature that is five minutes
 * off.
 */
export function signBySystemDate(): () => void {
  const { nowMs } = signingClock;
  signingClock.nowMs = () => bySystemDate(() => Date.now());
  return () => {
    signingClock.nowMs = nowMs;
  };
}

/**
 * Makes `Date` of the whole process follow another clock: `new Date()`, `Date()` and `Date.now()`. Dates made from
 * arguments, and `instanceof Date`, are unchanged.
 */
export function installDate(nowMs: () => number): () => void {
  const Former = globalThis.Date;
  const LocalDate: DateConstructor = new Proxy(Former, {
    construct: (target, args, newTarget) =>
      Reflect.construct(
        target,
        args.length === 0 ? [nowMs()] : args,
        newTarget === LocalDate ? target : newTarget,
      ),
    apply: () => new Former(nowMs()).toString(),
    get: (target, property) => (property === 'now' ? nowMs : Reflect.get(target, property)),
  });
  globalThis.Date = LocalDate;
  return () => {
    globalThis.Date = Former;
  };
}
