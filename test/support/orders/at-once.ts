/** Works at the same time, judged by what they answer and leave in the table. */
import { type Answered, type Call, call } from '../call.ts';
import { everyOrder, type Orders, type Search } from './every-order.ts';
import { asMade, formOf, formOfItems, type Watched, watchWrites } from './left.ts';
import type { Turn, Work } from './turns.ts';

/** A world, and the works that meet in it. */
export interface Begun {
  readonly works: readonly Work<unknown>[];
  /** The works that a call causes. */
  readonly caused?: (turn: Turn) => readonly Work<unknown>[];
  /** A work makes several transactions, between which others may come: `check` alone judges. */
  readonly isInParts?: boolean;
  /** Judges the end of an order. @throws Error that says what is wrong. */
  readonly check?: (results: readonly unknown[]) => unknown;
}

/**
 * Does works at once, under every order of their calls: each ends as one work after another does.
 *
 * @param begin makes a world in which no other order has left anything.
 * @throws WrongOrder
 */
export function atOnce(begin: () => Promise<Begun>, search?: Search): Promise<Orders> {
  return everyOrder<Begun & { writes: Watched }>(
    {
      setup: async () => {
        const writes = watchWrites();
        return Object.assign(await begin(), { writes });
      },
      works: ({ works }) => works,
      caused: ({ caused }, turn) => caused?.(turn) ?? [],
      outcome: async ({ writes, isInParts }, results) =>
        isInParts ? [] : [results.map(formOf), formOfItems(await writes())],
      check: ({ check }, results) => check?.(results),
    },
    search,
  );
}

/** Makes a world once, and puts its items back for each order, but for counters of requests: for works that keep nothing themselves. */
export async function putBack(begin: () => Promise<Begun>): Promise<() => Promise<Begun>> {
  const { made, restore } = await asMade(begin);
  const beganMs = Date.now();
  return async () => {
    await restore();
    if (vi.isFakeTimers()) vi.setSystemTime(beganMs);
    return made;
  };
}

/** The status of an answer, and what it says apart from pages. */
export async function told(answer: Promise<Answered>): Promise<unknown> {
  const { status, body } = await answer;
  return typeof body === 'object' ? [status, body] : status;
}

export const sent = (id: string, request: Call) => () => told(call(id, request));

/** The statuses of answers that were {@link told}, sorted. */
export const statusesOf = (results: readonly unknown[]) => results.map((one) => [one].flat()[0]).toSorted();

/** The answers have these statuses, in any sequence. */
export const answered = (...statuses: number[]): Pick<Begun, 'check'> => ({
  check: (results) => expect(statusesOf(results)).toEqual(statuses.toSorted()),
});

export const twice = (work: Work<unknown>): Begun => ({ works: [work, work] });
