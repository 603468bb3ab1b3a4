import { clock as clockOfHandlers, dayMs, signingClock } from '../../../../functions/shared/runtime/clock.ts';
import {
  bySystemDate,
  installDate,
  LocalClock,
  type ScheduledWork,
  signBySystemDate,
} from '../../../../lib/local/clock.ts';
import { openState, type State } from '../../../../lib/local/state.ts';

const startMs = Date.UTC(2026, 0, 1);

let state: State;
let systemMs: number;
let clock: LocalClock;
const undo: (() => unknown)[] = [];

function newClock(): LocalClock {
  const created = new LocalClock(state, { systemNow: () => systemMs });
  undo.push(() => created.stop());
  return created;
}

/** A new clock whose system time stands still until a test moves it. */
function begin(): void {
  state = openState(':memory:');
  const opened = state;
  undo.push(() => opened.close());
  systemMs = startMs;
  clock = newClock();
}

afterEach(async () => {
  for (let step = undo.pop(); step; step = undo.pop()) await step();
});

/** Work at the given times, which records when it ran. */
class Bell implements ScheduledWork {
  readonly rung: number[] = [];
  readonly #due: number[];
  onRing: (ms: number) => void | Promise<void> = () => undefined;

  constructor(...due: number[]) {
    this.#due = due;
  }

  nextDueMs(): number | undefined {
    return this.#due.toSorted((a, b) => a - b)[0];
  }

  async runDue(): Promise<void> {
    const now = clock.nowMs();
    for (const due of this.#due.filter((ms) => ms <= now)) {
      this.#due.splice(this.#due.indexOf(due), 1);
      this.rung.push(now);
      await this.onRing(due);
    }
  }

  add(ms: number): void {
    this.#due.push(ms);
  }
}

test('a move runs what is due on the way in order, each at its own time, and what that triggers', async () => {
  begin();
  const order: string[] = [];
  const a = new Bell(startMs + 3 * dayMs, startMs + dayMs);
  const b = new Bell(startMs + 2 * dayMs);
  a.onRing = (ms) => {
    order.push(`a${(ms - startMs) / dayMs}`);
    // Slow work does not delay the next.
    systemMs += 10_000;
    if (ms === startMs + dayMs) a.add(startMs + 2.5 * dayMs);
  };
  b.onRing = (ms) => void order.push(`b${(ms - startMs) / dayMs}`);
  clock.register(a);
  clock.register(b);
  await clock.advanceBy(4 * dayMs);
  expect(order).toEqual(['a1', 'b2', 'a2.5', 'a3']);
  expect(a.rung).toEqual([1, 2.5, 3].map((days) => startMs + days * dayMs));
  expect(b.rung).toEqual([startMs + 2 * dayMs]);
  expect(clock.nowMs()).toBe(startMs + 4 * dayMs);
});

test('a move by nothing succeeds, although the clock goes on while it starts', async () => {
  begin();
  clock = new LocalClock(state, { systemNow: () => (systemMs += 1) });
  undo.push(() => clock.stop());
  await clock.advanceBy(0);
  await expect(clock.advanceTo(startMs)).rejects.toThrow('The clock only goes forward.');
});

test('the position survives a restart, and a system clock that is set back', async () => {
  begin();
  await clock.advanceBy(40 * dayMs);
  systemMs += 1000;
  expect(newClock().nowMs()).toBe(startMs + 40 * dayMs + 1000);
  systemMs = startMs - 365 * dayMs;
  expect(newClock().nowMs()).toBe(startMs + 40 * dayMs);
});

test('signatures keep the time of the system, wherever Date follows another clock', () => {
  const unsign = signBySystemDate();
  const uninstall = installDate(() => 0);
  try {
    expect(clockOfHandlers.nowMs()).toBe(0);
    expect(signingClock.nowMs()).toBeGreaterThan(0);
    expect(bySystemDate(() => Date.now())).toBeGreaterThan(0);
    expect(Date.now()).toBe(0);
  } finally {
    uninstall();
    unsign();
  }
});
