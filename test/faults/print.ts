import { callLabel } from './kinds.ts';
import type { CaseResult } from './messages.ts';

/** Runs and broken runs by a property, in the order of its values. */
export function tally(
  results: readonly CaseResult[],
  by: (result: CaseResult) => string,
): [value: string, runs: number, broken: number][] {
  const groups = [...Map.groupBy(results, by)].sort(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([value, all]) => [
    value,
    all.length,
    all.filter(({ problems }) => problems.length > 0).length,
  ]);
}

/** Prints each broken case, with the command that repeats its scenario. */
export function printBroken(broken: readonly CaseResult[], seed: number): void {
  for (const { scenario, fault, problems, statuses } of broken) {
    const answers = statuses.length > 0 ? ` (answers ${statuses.join(', ')})` : '';
    process.stdout.write(`\n${scenario}: ${fault.kind}, at ${callLabel(fault.call)}${answers}\n`);
    for (const problem of problems) process.stdout.write(`  ${problem}\n`);
  }
  const [first] = broken;
  if (first !== undefined)
    process.stdout.write(`\nRepeat: npm run faults -- --seed ${seed} --only '${first.scenario}'\n`);
}
