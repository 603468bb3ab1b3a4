import type { Scenario } from '../faults/scenario.ts';
import { allScenarios } from '../faults/scenarios.ts';

/** Those that fill a table, and say no more of a record than a smaller one. */
const filling = /of 600|1,500 records/;

/** The scenarios that a release prepares and the next one runs: the first of each route and timer, and each step of a subscription. */
export function recordedScenarios(): Scenario[] {
  const all = allScenarios().filter(({ name }) => !filling.test(name));
  const byId = [...Map.groupBy(all, ({ id }) => id).values()];
  const first = new Set(byId.map(([scenario]) => scenario));
  return all.filter((one) => first.has(one) || one.id === 'subscriptions.run-step');
}
