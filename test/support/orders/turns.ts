/** Works that happen at the same time, whose calls to the table are made one after the other. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { dynamodb } from '../../../functions/shared/table/client.ts';
import { type Accesses, accessesOf } from './accesses.ts';

/** A call that waits for its turn. */
export interface Turn extends Accesses {
  /** The index of its work. */
  readonly work: number;
  /** From 0, among the calls of its work. */
  readonly nth: number;
}

interface Waiting extends Turn {
  readonly make: () => Promise<void>;
}

interface Worker {
  readonly index: number;
  readonly waiting: Waiting[];
  calls: number;
  isDone: boolean;
}

const current = new AsyncLocalStorage<Worker>();

/** The longest time that a turn waits for a work, in milliseconds: it can wait for what another one reads for both. */
const patienceMs = 500;

const soon = () => new Promise((resolve) => setImmediate(resolve));

/**
 * Does works at the same time. Their calls to the table are made one after the other.
 *
 * @param choose names the call that is made next, of those that wait.
 * @param afterTurn runs after each call.
 * @returns how each of them ended.
 */
export async function inTurns<T>(
  works: readonly (() => Promise<T>)[],
  choose: (waiting: readonly Turn[]) => Turn,
  afterTurn: () => void = () => undefined,
): Promise<PromiseSettledResult<T>[]> {
  const workers = works.map((_, index): Worker => ({ index, waiting: [], calls: 0, isDone: false }));
  const name = 'turns';
  dynamodb.middlewareStack.add(
    (next, context) => (args) => {
      const worker = current.getStore();
      if (worker === undefined) return next(args);
      return new Promise((resolve, reject) => {
        worker.waiting.push({
          ...accessesOf(String(context.commandName), args.input),
          work: worker.index,
          nth: worker.calls,
          make: () => next(args).then(resolve, reject),
        });
        worker.calls += 1;
      });
    },
    { step: 'initialize', name },
  );
  try {
    const over = Promise.allSettled(works.map((work, index) => asWorker(work, workers[index])));
    for (;;) {
      const waiting = await waitingOf(workers);
      if (waiting.length === 0) break;
      const { work, nth } = choose(waiting);
      const queue = workers[work]?.waiting ?? [];
      const [turn] = queue.splice(
        queue.findIndex((one) => one.nth === nth),
        1,
      );
      await turn?.make();
      afterTurn();
      await soon();
    }
    return await over;
  } finally {
    dynamodb.middlewareStack.remove(name);
  }
}

async function asWorker<T>(work: () => Promise<T>, worker: Worker | undefined): Promise<T> {
  if (worker === undefined) throw new Error('Each work has a worker');
  try {
    return await current.run(worker, work);
  } finally {
    worker.isDone = true;
  }
}

/** The calls that wait, once every work that is not done has one. */
async function waitingOf(workers: readonly Worker[]): Promise<Waiting[]> {
  const startMs = performance.now();
  for (;;) {
    const waiting = workers.flatMap((one) => one.waiting);
    const areBusy = workers.some((one) => !one.isDone && one.waiting.length === 0);
    const isPatient = waiting.length === 0 || performance.now() - startMs < patienceMs;
    if (!areBusy || !isPatient) return waiting;
    await soon();
  }
}
