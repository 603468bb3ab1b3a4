/** Works that happen at the same time, whose calls to the table are made one after the other. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
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

/**
 * For how many pauses of a millisecond a turn waits for a work: longer than a work pauses before it tries again. A work that
 * takes longer waits for what another one reads for both.
 */
const patience = 1_000;
/** A work mostly goes on after some turns of the event loop. Longer waits leave the processor to the service that answers. */
const turnsWithoutPause = 3;

const soon = () => new Promise((resolve) => setImmediate(resolve));

/** Requests to other services than the table, which a work may wait for as long as they take. */
let requests = 0;
subscribe('http.client.request.start', (message) => {
  requests += 1;
  (message as { request: ClientRequest }).request.once('close', () => {
    requests -= 1;
  });
});

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
  } catch (error) {
    // Works that are left must not go on beside the next test.
    for (let left = await waitingOf(workers); left.length > 0; left = await waitingOf(workers)) {
      for (const { waiting } of workers) await waiting.shift()?.make();
    }
    throw error;
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
  let idle = 0;
  for (let turn = 0; ; turn += 1) {
    const waiting = workers.flatMap((one) => one.waiting);
    const areBusy = workers.some((one) => !one.isDone && one.waiting.length === 0);
    if (!areBusy || (waiting.length > 0 && idle > patience)) return waiting;
    if (turn < turnsWithoutPause) await soon();
    else {
      await pause(1);
      if (requests === 0) idle += 1;
    }
  }
}
