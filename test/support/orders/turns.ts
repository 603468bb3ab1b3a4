/** Works that happen at the same time, whose calls to the table are made one after the other. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { defined } from '../../../functions/shared/contract/defined.ts';
import { dynamodb } from '../../../functions/shared/table/client.ts';
import { type Accesses, accessesOf } from './accesses.ts';

/** A call of a work. */
export interface CallOfWork {
  /** The index of its work. */
  readonly work: number;
  /** From 0, among the calls of its work. */
  readonly nth: number;
}

/** A call that waits for its turn. */
export interface Turn extends CallOfWork, Accesses {
  /** The call that caused its work. Without it, the work was there from the start. */
  readonly cause?: CallOfWork;
}

interface Waiting extends Turn {
  readonly make: () => Promise<void>;
}

interface Worker {
  readonly index: number;
  readonly cause: CallOfWork | undefined;
  readonly waiting: Waiting[];
  calls: number;
  isDone: boolean;
}

/** Something that makes calls. */
export type Work<T> = () => Promise<T>;

/** How calls are made. */
export interface Course<T> {
  /** Names the call that is made next, of those that wait. */
  readonly choose: (waiting: readonly Turn[]) => Turn;
  /** The works that a call causes, after it was made: such as the delivery of what it wrote. */
  readonly caused?: (turn: Turn) => readonly Work<T>[];
  /** Makes a call. */
  readonly make?: (turn: Turn, make: () => Promise<void>) => Promise<void>;
}

const current = new AsyncLocalStorage<Worker>();

/** How long a turn waits for a work, in milliseconds of the processor: it can wait for what another one reads for both. */
const patienceMs = 500;

const soon = () => new Promise((resolve) => setImmediate(resolve));

/** Makes a call when it is its turn. Outside of a work, that is at once. */
export function inTurn<T>(accesses: Accesses, call: () => Promise<T>): Promise<T> {
  const worker = current.getStore();
  if (worker === undefined) return call();
  // A call has the grants of the function that makes it.
  const bound = AsyncLocalStorage.bind(call);
  return new Promise((resolve, reject) => {
    worker.waiting.push({
      ...accesses,
      work: worker.index,
      nth: worker.calls,
      ...defined({ cause: worker.cause }),
      make: () => bound().then(resolve, reject),
    });
    worker.calls += 1;
  });
}

/**
 * Does works at the same time. Their calls to the table are made one after the other.
 *
 * @returns how each of them ended, and then those that they caused.
 */
export async function inTurns<T>(
  works: readonly Work<T>[],
  { choose, caused = () => [], make = (_, call) => call() }: Course<T>,
): Promise<PromiseSettledResult<T>[]> {
  const workers: Worker[] = [];
  const over: Promise<PromiseSettledResult<T>>[] = [];
  const begin = (work: Work<T>, cause?: CallOfWork) => {
    const worker = { index: workers.length, cause, waiting: [], calls: 0, isDone: false };
    workers.push(worker);
    over.push(settled(work, worker));
  };
  const name = 'turns';
  dynamodb.middlewareStack.add(
    (next, context) => (args) =>
      inTurn(accessesOf(String(context.commandName), args.input), () => next(args)),
    { step: 'initialize', name },
  );
  try {
    for (const work of works) begin(work);
    for (;;) {
      const waiting = await waitingOf(workers);
      if (waiting.length === 0) break;
      const { work, nth } = choose(waiting);
      const queue = workers[work]?.waiting ?? [];
      const [turn] = queue.splice(
        queue.findIndex((one) => one.nth === nth),
        1,
      );
      if (turn === undefined) throw new Error('The chosen call waits');
      await make(turn, turn.make);
      for (const one of caused(turn)) begin(one, { work, nth });
      await soon();
    }
    return await Promise.all(over);
  } finally {
    dynamodb.middlewareStack.remove(name);
  }
}

async function settled<T>(work: Work<T>, worker: Worker): Promise<PromiseSettledResult<T>> {
  const [result] = await Promise.allSettled([current.run(worker, work)]);
  worker.isDone = true;
  return result;
}

/** The calls that wait, once every work that is not done has one. */
async function waitingOf(workers: readonly Worker[]): Promise<Waiting[]> {
  const start = process.cpuUsage();
  for (;;) {
    const waiting = workers.flatMap((one) => one.waiting);
    const areBusy = workers.some((one) => !one.isDone && one.waiting.length === 0);
    const { user, system } = process.cpuUsage(start);
    const isPatient = waiting.length === 0 || (user + system) / 1_000 < patienceMs;
    if (!areBusy || !isPatient) return waiting;
    await soon();
  }
}
