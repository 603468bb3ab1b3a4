import { expect } from 'vitest';

/** A write that several callers make at once. */
interface Race<Outcome> {
  /** Makes the write, as the caller of a number. */
  call: (caller: number) => Promise<Outcome>;
  /** Whether an outcome says that its call had the effect. */
  isOk: (outcome: Outcome) => boolean;
  /** How many effects the table holds. */
  effects: () => Promise<number>;
  /** Five by default. */
  callers?: number;
  /** How many outcomes are ok: one by default, and each of them where a repeat is answered as the first. */
  oks?: number;
}

/**
 * Makes a write from several callers at once: exactly one outcome is ok, and the table holds one effect.
 *
 * @returns the outcomes.
 */
export async function expectOnce<Outcome>({
  call,
  isOk,
  effects,
  callers = 5,
  oks = 1,
}: Race<Outcome>): Promise<Outcome[]> {
  const outcomes = await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  expect(outcomes.filter(isOk), JSON.stringify(outcomes)).toHaveLength(oks);
  expect(await effects(), 'effects in the table').toBe(1);
  return outcomes;
}
