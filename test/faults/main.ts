/**
 * npm run faults: makes every call of every endpoint and timer to the table, to mail and to the state machine fail in
 * every way, one at a time, and judges what is left. See docs/robustness.md.
 */
import { optionsOrUsage } from '../support/parallel/options.ts';
import { Progress, printColumns } from '../support/parallel/progress.ts';
import { Seeded } from '../support/parallel/seeded.ts';
import { startWorkers } from '../support/parallel/workers.ts';
import { type FaultKind, faultKinds } from './kinds.ts';
import type { CaseResult, RecordedScenario, WorkerMessage } from './messages.ts';
import { plan } from './plan.ts';
import { printBroken, tally } from './print.ts';

const options = optionsOrUsage('faults', process.argv.slice(2), 5_000);
const { bound, seed, workers: count, only } = options;
const recordings: { worker: number; recorded: RecordedScenario[] }[] = [];
const results: CaseResult[] = [];
let progress: Progress | undefined;

process.stdout.write(`Seed ${seed}, ${count} workers\n`);
const parts = Array.from({ length: count }, (_, index) => ({ index, count, only }));
const workers = startWorkers<WorkerMessage>(
  new URL('worker.ts', import.meta.url),
  parts,
  (message, worker) => {
    if ('recorded' in message) {
      recordings.push({ worker, recorded: message.recorded });
      if (recordings.length === count) start();
      return;
    }
    results.push(message);
    progress?.add(1, message.problems.length > 0 ? 1 : 0);
  },
);

function start(): void {
  const { planned, total } = plan(recordings, bound, new Seeded(seed));
  if (total === 0) {
    process.stderr.write(
      `No case has "${only}" in its name. Names begin with a route, such as shares.open.\n`,
    );
    process.exit(2);
  }
  process.stdout.write(`${planned.length} of ${total} cases\n`);
  progress = new Progress(planned.length, 'runs');
  for (const { worker } of recordings)
    workers.send(
      worker,
      planned.filter((one) => one.worker === worker).map(({ scenario, fault }) => ({ scenario, fault })),
    );
}

await workers.ended;
progress?.end();

const failed = recordings.flatMap(({ recorded }) => recorded.filter(({ error }) => error !== undefined));
const broken = results.filter(({ problems }) => problems.length > 0);
process.stdout.write('\n');
printColumns([
  ['fault', 'runs', 'broken', ''],
  ...tally(results, ({ fault }) => fault.kind).map(([kind, ...counts]) => [
    `${kind}: ${faultKinds[kind as FaultKind]}`,
    ...counts,
  ]),
]);
process.stdout.write('\n');
printColumns([['endpoint or timer', 'runs', 'broken'], ...tally(results, ({ id }) => id)]);
const missed = results.filter(({ struck }) => !struck).length;
if (missed > 0) process.stdout.write(`\n${missed} runs did not make the planned call.\n`);
for (const { scenario, error } of failed)
  process.stdout.write(`\nWithout a fault: ${scenario}\n  ${error}\n`);
printBroken(broken, seed);
process.exit(broken.length + failed.length > 0 || results.length === 0 ? 1 : 0);
