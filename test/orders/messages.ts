import type { Orders } from '../support/orders/every-order.ts';
import type { Pair } from './pairs.ts';
import type { Left } from './run-pair.ts';

/** The first message to a worker: its pairs, and the most orders of each. */
export interface WorkerPart {
  readonly pairs: readonly Pair[];
  readonly most: number;
  /** The one order that is run: `A0 B0 A1`. */
  readonly schedule?: string;
  /** The number of faults of each pair that are run, and the seed that draws them. Without it, nothing is faulty. */
  readonly faults?: { readonly most: number; readonly seed: number };
}

/** The result of a pair: why its orders were not run, their count, or the order that is wrong. */
export type PairResult = { readonly pair: Pair } & (
  | { readonly left: Left }
  | { readonly orders: Orders }
  | { readonly problem: string }
);
