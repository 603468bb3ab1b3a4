import { secondMs } from '../../../functions/shared/runtime/clock.ts';
import type { BackgroundWork } from '../clock.ts';

/** How many executions without a group run their tasks concurrently. */
const maxConcurrent = 100;
/** How many executions of one group run their tasks concurrently. Groups do not take each other's room. */
const maxOfGroup = 10;
/** How long a group is waited for in which nothing ends, in real time. */
const patienceMs = 5 * secondMs;

interface Group {
  free: number;
  readonly waiting: (() => void)[];
  readonly runs: Map<string, { input: unknown; done: Promise<void> }>;
  /** Resolves when nothing has ended for some time. */
  readonly slow: PromiseWithResolvers<void>;
  isSlow: boolean;
  timer?: NodeJS.Timeout;
}

const newGroup = (free: number): Group => ({
  free,
  waiting: [],
  runs: new Map(),
  slow: Promise.withResolvers(),
  isSlow: false,
});

/**
 * Executions in progress. Those that depend on the same server outside form a group. Nobody waits for a group in which
 * nothing has ended for some time, until all of it has ended.
 */
export class Runs implements BackgroundWork {
  readonly #own = newGroup(maxConcurrent);
  readonly #groups = new Map<string, Group>();

  has(arn: string): boolean {
    return this.#own.runs.has(arn) || [...this.#groups.values()].some(({ runs }) => runs.has(arn));
  }

  /** Runs an execution as soon as there is room. `work` must not reject. */
  start(arn: string, input: unknown, name: string | undefined, work: () => Promise<void>): void {
    const group = this.#groupOf(name);
    const done = inGroup(group, work).then(() => {
      group.runs.delete(arn);
      if (name === undefined) return;
      expectNext(group);
      if (group.runs.size === 0) this.#groups.delete(name);
    });
    group.runs.set(arn, { input, done });
  }

  async ownIdle(): Promise<void> {
    while (this.#own.runs.size > 0) await endOf(this.#own);
  }

  /** Resolves when no execution is in progress but those of slow groups. */
  async idle(): Promise<void> {
    while (this.isBusy()) {
      await this.ownIdle();
      await Promise.all(
        this.#groupsThat(false).map((group) => Promise.race([group.slow.promise, endOf(group)])),
      );
    }
  }

  isBusy(): boolean {
    return this.#own.runs.size > 0 || this.#groupsThat(false).length > 0;
  }

  /** The inputs of the executions in progress for which nobody waits. */
  notWaitedFor(): unknown[] {
    return this.#groupsThat(true).flatMap(({ runs }) => [...runs.values()].map(({ input }) => input));
  }

  #groupsThat(areSlow: boolean): Group[] {
    return [...this.#groups.values()].filter(({ isSlow }) => isSlow === areSlow);
  }

  #groupOf(name: string | undefined): Group {
    if (name === undefined) return this.#own;
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    const group = newGroup(maxOfGroup);
    this.#groups.set(name, group);
    expectNext(group);
    return group;
  }
}

const endOf = ({ runs }: Group) => Promise.all([...runs.values()].map(({ done }) => done));

/** Does work when its group has room, in the order of the calls. */
async function inGroup(group: Group, work: () => Promise<void>): Promise<void> {
  if (group.free > 0) group.free -= 1;
  else await new Promise<void>((resolve) => group.waiting.push(resolve));
  await work();
  const next = group.waiting.shift();
  if (next === undefined) group.free += 1;
  else next();
}

/** Waits for the next end of an execution of a group, for as long as patience lasts. */
function expectNext(group: Group): void {
  clearTimeout(group.timer);
  if (group.isSlow) return;
  group.timer = setTimeout(() => {
    group.isSlow = true;
    group.slow.resolve();
  }, patienceMs);
  group.timer.unref();
}
