import type { Seeded } from '../support/parallel/seeded.ts';
import { kindsFor } from './kinds.ts';
import type { RecordedScenario, WorkerCase } from './messages.ts';

/** A case with the worker that recorded its scenario. */
export interface PlannedCase extends WorkerCase {
  worker: number;
}

/**
 * Every call of every scenario with every fault, in the order of the seed, up to `bound`. A bound above the number of
 * cases runs them again, in another order and with new records.
 *
 * @returns also the number of all cases.
 */
export function plan(
  recordings: readonly { worker: number; recorded: readonly RecordedScenario[] }[],
  bound: number,
  random: Seeded,
): { planned: PlannedCase[]; total: number } {
  const all = recordings.flatMap(({ worker, recorded }) =>
    recorded.flatMap(({ scenario, calls }) =>
      calls.flatMap((call) => kindsFor(call).map((kind) => ({ worker, scenario, fault: { kind, call } }))),
    ),
  );
  // Workers finish recording in any order.
  const byName = all.sort((a, b) => (a.scenario < b.scenario ? -1 : Number(a.scenario > b.scenario)));
  const planned: PlannedCase[] = [];
  while (planned.length < bound && all.length > 0)
    planned.push(...random.shuffled(byName).slice(0, bound - planned.length));
  return { planned, total: all.length };
}
