import type { State } from './state.ts';

/** Something that acts at set times. */
export interface Timed {
  /** When the next action is due, epoch milliseconds; undefined when none is. */
  nextDueMs(): number | undefined;
  /** Does what is due at the clock's time; waits for what is under way, which may set the next due moment. */
  runDue(): Promise<void>;
  /** Makes no stop on the way of a moved clock: what was missed is made up for once, where the move ends. */
  readonly onceAMove?: boolean;
}

type IsDue = (dueMs: number, timed: Timed) => boolean;

/** The moment asked for cannot be set. The message is for the caller. */
export class ClockError extends Error {}

/** The last millisecond that ISO 8601 writes with four digits of year. */
const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/** Timers of Node.js hold 24.8 days at most; waking early does no harm. */
const longestSleepMs = 3_600_000;
/** After a failure nothing is tried again sooner. */
const retryMs = 1_000;
/** Rounds at one moment after which something due is taken to be stuck. */
const maxRounds = 100_000;

interface Kept {
  /** Clock minus system clock. */
  offsetMs: number;
  /** What the clock read when this was kept; it never reads less again, even if the system's is set back. */
  readMs: number;
}

/**
 * A clock that runs like the system's and can be moved forward, never back. What is due on the way happens in
 * order, each at its own time, before the move is done. Its position survives a restart.
 */
export class LocalClock {
  readonly #state: State;
  readonly #systemNow: () => number;
  readonly #timed: Timed[] = [];
  readonly #report: (error: unknown) => void;
  #offsetMs: number;
  /** Where the clock stands still while a move makes a stop. */
  #heldMs: number | undefined;
  #alarm: NodeJS.Timeout | undefined;
  #queue: Promise<void> = Promise.resolve();
  #stopped = false;

  /**
   * @param state where the position is kept.
   * @param options.systemNow the system's clock, epoch milliseconds.
   * @param options.report receives what fails outside of a request.
   */
  constructor(state: State, options: { systemNow?: () => number; report?: (error: unknown) => void } = {}) {
    this.#state = state;
    this.#systemNow = options.systemNow ?? Date.now.bind(Date);
    this.#report = options.report ?? (() => undefined);
    const kept = state.get('clock') as Kept | undefined;
    this.#offsetMs = Math.max(kept?.offsetMs ?? 0, (kept?.readMs ?? 0) - this.#systemNow());
  }

  /** The time here, epoch milliseconds. */
  nowMs(): number {
    return this.#heldMs ?? Math.floor(this.#systemNow() + this.#offsetMs);
  }

  /** Adds something to wake; what is overdue runs soon. */
  register(timed: Timed): void {
    this.#timed.push(timed);
    this.rearm();
  }

  /** To be called when the next due moment of something registered may have changed. */
  rearm(): void {
    this.#rearm(0);
  }

  /**
   * Moves the clock to a moment and runs what is due until then; resolves when all of it is done.
   *
   * @throws ClockError when the moment has passed or cannot be written as a date.
   */
  advanceTo(targetMs: number): Promise<void> {
    return this.#enqueue(() => this.#move(targetMs));
  }

  /** As `advanceTo`, counted from the moment the move begins. */
  advanceBy(ms: number): Promise<void> {
    return this.#enqueue(() => this.#move(this.nowMs() + ms));
  }

  /** Wakes nothing any more, and resolves when what runs now is done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#alarm);
    await this.#queue;
  }

  #rearm(shortestSleepMs: number): void {
    clearTimeout(this.#alarm);
    const next = this.#next();
    if (next === undefined || this.#stopped) return;
    const waitMs = Math.min(Math.max(next.dueMs - this.nowMs(), shortestSleepMs), longestSleepMs);
    const wake = () => this.#enqueue(() => this.#runUntilNow()).catch(this.#report);
    this.#alarm = setTimeout(wake, waitMs);
    this.#alarm.unref();
  }

  async #move(targetMs: number): Promise<void> {
    if (!(targetMs <= lastMs)) throw new ClockError('The clock cannot go beyond the year 9999.');
    if (targetMs < this.nowMs()) throw new ClockError('The clock only goes forward.');
    // What was started just now may be about to wait for a moment on the way.
    for (const timed of this.#timed) await timed.runDue();
    try {
      await this.#run(
        (dueMs, { onceAMove }) => dueMs <= targetMs && !onceAMove,
        (dueMs) => this.#hold(Math.max(dueMs, this.nowMs())),
      );
      this.#hold(Math.max(targetMs, this.nowMs()));
      for (const timed of this.#timed) if (timed.onceAMove) await timed.runDue();
      // What these have set off is part of the move too.
      for (const timed of this.#timed) if (!timed.onceAMove) await timed.runDue();
    } finally {
      this.#heldMs = undefined;
    }
  }

  #runUntilNow(): Promise<void> {
    return this.#run(
      (dueMs) => dueMs <= this.nowMs(),
      () => undefined,
    );
  }

  async #run(isDue: IsDue, arrive: (dueMs: number) => void): Promise<void> {
    let rounds = 0;
    let at = Number.NaN;
    for (let next = this.#next(isDue); next && !this.#stopped; next = this.#next(isDue)) {
      rounds = next.dueMs === at ? rounds + 1 : 0;
      at = next.dueMs;
      if (rounds > maxRounds)
        throw new Error(`Timers due at ${new Date(at).toISOString()} do not come to an end.`);
      arrive(next.dueMs);
      await next.timed.runDue();
    }
  }

  /** What comes first of all that is due. */
  #next(isDue: IsDue = () => true): { timed: Timed; dueMs: number } | undefined {
    let first: { timed: Timed; dueMs: number } | undefined;
    for (const timed of this.#timed) {
      const dueMs = timed.nextDueMs();
      if (dueMs === undefined || !isDue(dueMs, timed)) continue;
      if (first === undefined || dueMs < first.dueMs) first = { timed, dueMs };
    }
    return first;
  }

  #hold(ms: number): void {
    this.#heldMs = ms;
    this.#offsetMs = ms - this.#systemNow();
    this.#state.set('clock', { offsetMs: this.#offsetMs, readMs: ms } satisfies Kept);
  }

  /** One after the other: a move that waits begins where the one before it ended. */
  #enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(work);
    this.#queue = done.then(
      () => this.#rearm(0),
      () => this.#rearm(retryMs),
    );
    return done;
  }
}

/**
 * Makes `Date` of the whole process show another clock: `new Date()`, `Date()` and `Date.now()`. Dates made from
 * arguments, and `instanceof Date`, are as ever.
 *
 * @returns puts the system's clock back.
 */
export function installDate(nowMs: () => number): () => void {
  const SystemDate = globalThis.Date;
  const LocalDate: DateConstructor = new Proxy(SystemDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(
        target,
        args.length === 0 ? [nowMs()] : args,
        newTarget === LocalDate ? target : newTarget,
      ),
    apply: () => new SystemDate(nowMs()).toString(),
    get: (target, property) => (property === 'now' ? nowMs : Reflect.get(target, property)),
  });
  globalThis.Date = LocalDate;
  return () => {
    globalThis.Date = SystemDate;
  };
}
