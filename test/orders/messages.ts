import type { Orders } from '../support/orders/every-order.ts';
import type { Pair } from './pairs.ts';

/** The first message to a worker: its pairs, and the most orders of each. */
export interface WorkerPart {
  readonly pairs: readonly Pair[];
  readonly most: number;
  /** The one order that is run: `A0 B0 A1`. */
  readonly schedule?: string;
}

/** The result of a pair: why its orders were not run, their count, or the order that is wrong. */
export type PairResult = { readonly pair: Pair } & (
  | { readonly left: 'refused' | 'apart' | 'long' }
  | { readonly orders: Orders }
  | { readonly problem: string }
);
