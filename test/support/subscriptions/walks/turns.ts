/** A life is the same in every run: its seed determines random values, and the order of what happens at the same time. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { vi } from 'vitest';
import * as drawing from '../../../../functions/shared/runtime/random.ts';
import { dynamodb } from '../../../../functions/shared/table/client.ts';
import { Seeded } from '../../parallel/seeded.ts';

/** Has a seed determine ids and tokens. @returns restores the random values. */
export function seedRandomValues(seed: number): () => void {
  const ofIds = new Seeded(seed);
  const ofTokens = new Seeded(~seed);
  const token = () =>
    Buffer.from(Array.from({ length: 16 }, () => ofTokens.below(256))).toString('base64url');
  const spies = [
    vi.spyOn(drawing, 'randomFraction').mockImplementation(() => ofIds.below(32) / 32),
    vi.spyOn(drawing, 'randomToken').mockImplementation(token),
    vi.spyOn(drawing, 'jitterMs').mockReturnValue(1),
  ];
  return () => {
    for (const spy of spies) spy.mockRestore();
  };
}

/** One of the works that happen at the same time. Its calls of the table wait for their turn. */
interface Racer {
  readonly waiting: (() => Promise<void>)[];
  isDone: boolean;
}

const current = new AsyncLocalStorage<Racer>();

/** The longest time that a turn waits for a racer, in milliseconds: it can wait for what another racer reads for both. */
const patienceMs = 500;

const soon = () => new Promise((resolve) => setImmediate(resolve));

/**
 * Does works at the same time. Their calls of the table are made one after the other, in an order that a seed determines.
 *
 * @param afterTurn runs after each call.
 * @returns their results. A failure of one is thrown when all are over.
 */
export async function inTurns<T>(
  works: readonly (() => Promise<T>)[],
  random: Seeded,
  afterTurn: () => void = () => undefined,
): Promise<T[]> {
  const racers = works.map((): Racer => ({ waiting: [], isDone: false }));
  const name = 'turns';
  dynamodb.middlewareStack.add(
    (next) => (args) => {
      const racer = current.getStore();
      if (racer === undefined) return next(args);
      return new Promise((resolve, reject) => {
        racer.waiting.push(() => next(args).then(resolve, reject));
      });
    },
    { step: 'initialize', name },
  );
  try {
    const over = Promise.allSettled(works.map((work, i) => race(work, racers[i])));
    for (;;) {
      const ready = await readyOf(racers);
      if (ready.length === 0) break;
      await random.pick(ready).waiting.shift()?.();
      afterTurn();
      await soon();
    }
    return (await over).map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    });
  } finally {
    dynamodb.middlewareStack.remove(name);
  }
}

async function race<T>(work: () => Promise<T>, racer: Racer | undefined): Promise<T> {
  if (racer === undefined) throw new Error('Each work has a racer');
  try {
    return await current.run(racer, work);
  } finally {
    racer.isDone = true;
  }
}

/** The racers that wait for their turn, once all that are not done do. */
async function readyOf(racers: readonly Racer[]): Promise<Racer[]> {
  const startMs = performance.now();
  for (;;) {
    const left = racers.filter(({ isDone }) => !isDone);
    const ready = left.filter(({ waiting }) => waiting.length > 0);
    const isPatient = performance.now() - startMs < patienceMs;
    if (left.length === 0 || ready.length === left.length || (ready.length > 0 && !isPatient)) return ready;
    await soon();
  }
}
