/** A process of `npm run faults`: records scenarios, then runs the cases that it is given. */
import setup from '../support/global-setup.ts';
import { givenPart, report } from '../support/parallel/workers.ts';
import type { CaseResult, RecordedScenario, WorkerCase, WorkerPart } from './messages.ts';
import type { Baseline } from './run.ts';

process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
const { index, count, only } = await givenPart<WorkerPart>();
const stop = await setup();
await import('../support/table/table-of-worker.ts');
await import('../support/table/table-connection.ts');
const { FaultyConnection } = await import('./connection.ts');
const { shortenWaits } = await import('./fast-time.ts');
const { allScenarios } = await import('./scenarios.ts');
const { inOwnTable } = await import('../bench/capacity/own-table.ts');
const { runUnderFault, runWithoutFaults } = await import('./run.ts');

const connection = new FaultyConnection();
shortenWaits();
const scenarios = allScenarios()
  .filter(({ name }) => name.includes(only))
  .filter((_, i) => i % count === index);
const baselines = new Map<string, Baseline>();
const recorded: RecordedScenario[] = [];
for (const scenario of scenarios) {
  const run = () => runWithoutFaults(scenario, connection);
  try {
    const baseline = await (scenario.alone ? inOwnTable(run) : run());
    baselines.set(scenario.name, baseline);
    recorded.push({ scenario: scenario.name, calls: baseline.calls });
  } catch (error) {
    recorded.push({ scenario: scenario.name, calls: [], error: String(error) });
  }
}
const assigned = givenPart<WorkerCase[]>();
await report({ index, recorded });

for (const { scenario: name, fault } of await assigned) {
  const scenario = scenarios.find((one) => one.name === name);
  const baseline = baselines.get(name);
  if (scenario === undefined || baseline === undefined) throw new Error(`There is no scenario ${name}`);
  const run = () => runUnderFault(scenario, fault, baseline, connection);
  const failed = (error: unknown) => ({ problems: [String(error)], statuses: [], struck: true });
  const outcome = await (scenario.alone ? inOwnTable(run) : run()).catch(failed);
  await report({ scenario: name, id: scenario.id, fault, ...outcome } satisfies CaseResult);
}
connection.close();
await stop();
process.exit(0);
