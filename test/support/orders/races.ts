/**
 * The other orders that an order shows to be worth running: dynamic partial order reduction with source sets (Abdulla, Aronis,
 * Jonsson, Sagonas: Optimal Dynamic Partial Order Reduction, POPL 2014, algorithm 1).
 */
import { meet } from './accesses.ts';
import type { CallOfWork, Turn } from './turns.ts';

/** A call that could be made at an earlier point in place of the one that was. One of `first` has to be tried there. */
export interface Reversal {
  readonly at: number;
  readonly first: readonly Turn[];
}

/** A call that was made, with those that waited at that time, itself among them. */
export interface Made {
  readonly chosen: Turn;
  readonly waiting: readonly Turn[];
}

const isSame = (a: CallOfWork, b: CallOfWork) => a.work === b.work && a.nth === b.nth;

/** Two calls that meet, and of which the later one could have been made first. */
export function reversals(order: readonly Made[]): Reversal[] {
  const before = predecessors(order);
  return order.flatMap((later, i) =>
    order.slice(0, i).flatMap((earlier, j): Reversal[] => {
      if (!meet(earlier.chosen, later.chosen) || isOrdered(order, j, i)) return [];
      const isBetween = order.some((_, k) => k > j && k < i && before[k]?.has(j) && before[i]?.has(k));
      if (isBetween) return [];
      // The calls after the earlier one that do not follow from it, and the later one.
      const free = order.map((_, k) => k).filter((k) => k > j && (k === i || (k < i && !before[k]?.has(j))));
      const first = free.filter((k) => !free.some((other) => before[k]?.has(other)));
      return [{ at: j, first: first.flatMap((k) => order[k]?.chosen ?? []) }];
    }),
  );
}

/** For each call those that come before it in every order with the same effect. */
function predecessors(order: readonly Made[]): ReadonlySet<number>[] {
  const before: Set<number>[] = [];
  for (const [i, { chosen }] of order.entries()) {
    const own = new Set<number>();
    for (const [j, earlier] of order.slice(0, i).entries())
      if (isOrdered(order, j, i) || meet(earlier.chosen, chosen))
        for (const one of [j, ...(before[j] ?? [])]) own.add(one);
    before.push(own);
  }
  return before;
}

/** Whether the later call is made because of the earlier one: by a work that it caused, or by the same work, in which it did not wait. */
function isOrdered(order: readonly Made[], j: number, i: number): boolean {
  const earlier = order[j];
  const later = order[i]?.chosen;
  if (earlier === undefined || later === undefined) return false;
  if (later.cause !== undefined && isSame(earlier.chosen, later.cause)) return true;
  return earlier.chosen.work === later.work && !earlier.waiting.some((one) => isSame(one, later));
}
