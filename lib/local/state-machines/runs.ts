import { secondMs } from '../../../functions/shared/runtime/duration.ts';
import type { Json } from './expression.ts';
import { Semaphore } from './semaphore.ts';

/** How many executions without a group run their tasks concurrently. */
const maxConcurrent = 100;
/** How many executions of one group run their tasks concurrently. Groups do not take each other's room. */
const maxOfGroup = 10;
/** How long a group is waited for in which nothing ends, in real time. */
const patienceMs = 5 * secondMs;

/** Executions in progress that depend on the same server outside. */
interface Group {
  readonly semaphore: Semaphore;
  readonly runs: Map<string, { input: Json; done: Promise<void> }>;
  /** Resolves when nothing has ended for some time. */
  readonly slow: PromiseWithResolvers<void>;
  isSlow: boolean;
  timer?: NodeJS.Timeout;
}

/**
 * Executions in progress. Those that depend on the same server outside form a group. Nobody waits for a group in which
 * nothing has ended for some time, until all of it has ended.
 */
export class Runs {
  readonly #semaphore = new Semaphore(maxConcurrent);
  /** Executions without a group, by ARN. */
  readonly #own = new Map<string, Promise<void>>();
  readonly #groups = new Map<string, Group>();

  has(arn: string): boolean {
    return this.#own.has(arn) || [...this.#groups.values()].some(({ runs }) => runs.has(arn));
  }

  /** Runs an execution as soon as there is room. `work` must not reject. */
  start(
    arn: string,
    { group, input }: { group: string | undefined; input: Json },
    work: () => Promise<void>,
  ) {
    if (group === undefined) {
      const done = this.#semaphore.run(work).finally(() => this.#own.delete(arn));
      this.#own.set(arn, done);
      return;
    }
    const own = this.#groups.get(group) ?? this.#newGroup(group);
    const done = own.semaphore.run(work).finally(() => {
      own.runs.delete(arn);
      this.#expectNext(own);
      if (own.runs.size === 0) this.#groups.delete(group);
    });
    own.runs.set(arn, { input, done });
  }

  /** Resolves when no execution without a group is in progress. */
  async ownIdle(): Promise<void> {
    while (this.#own.size > 0) await Promise.all(this.#own.values());
  }

  /** Resolves when no execution is in progress but those of slow groups. */
  async idle(): Promise<void> {
    while (this.isBusy()) {
      await this.ownIdle();
      await Promise.all(
        this.#waitedFor().map(({ runs, slow }) =>
          Promise.race([slow.promise, Promise.all([...runs.values()].map(({ done }) => done))]),
        ),
      );
    }
  }

  isBusy(): boolean {
    return this.#own.size > 0 || this.#waitedFor().length > 0;
  }

  /** The inputs of the executions in progress for which nobody waits. */
  notWaitedFor(): Json[] {
    const slow = [...this.#groups.values()].filter(({ isSlow }) => isSlow);
    return slow.flatMap(({ runs }) => [...runs.values()].map(({ input }) => input));
  }

  #waitedFor(): Group[] {
    return [...this.#groups.values()].filter(({ isSlow }) => !isSlow);
  }

  #newGroup(name: string): Group {
    const semaphore = new Semaphore(maxOfGroup);
    const group: Group = { semaphore, runs: new Map(), slow: Promise.withResolvers(), isSlow: false };
    this.#groups.set(name, group);
    this.#expectNext(group);
    return group;
  }

  /** Waits for the next end of an execution of a group, for as long as patience lasts. */
  #expectNext(group: Group): void {
    clearTimeout(group.timer);
    if (group.isSlow) return;
    group.timer = setTimeout(() => {
      group.isSlow = true;
      group.slow.resolve();
    }, patienceMs);
    group.timer.unref();
  }
}
