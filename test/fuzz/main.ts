/**
 * npm run fuzz: sends mutated requests with every kind of credential to every operation of the OpenAPI document, over
 * the local gateway, and judges every answer. See docs/robustness.md.
 */
import { optionsOrUsage } from '../support/parallel/options.ts';
import { Progress, printColumns } from '../support/parallel/progress.ts';
import { startWorkers } from '../support/parallel/workers.ts';
import type { BrokenRequest, FuzzMessage } from './messages.ts';

const { bound, seed, workers: count, only } = optionsOrUsage('fuzz', process.argv.slice(2), 50_000);
type Counts = Record<string, number>;
const totals = {
  operations: {} as Counts,
  credentials: {} as Counts,
  mutations: {} as Counts,
  statuses: {} as Counts,
};
const broken: BrokenRequest[] = [];
let valid = 0;

process.stdout.write(`Seed ${seed}, ${count} workers\n`);
const progress = new Progress(bound, 'requests');
const parts = Array.from({ length: count }, (_, i) => ({
  seed: seed + i,
  requests: Math.floor((bound + i) / count),
  only,
}));
const workers = startWorkers<FuzzMessage>(new URL('worker.ts', import.meta.url), parts, (message) => {
  for (const name of ['operations', 'credentials', 'mutations', 'statuses'] as const)
    for (const [key, value] of Object.entries(message[name]))
      totals[name][key] = (totals[name][key] ?? 0) + value;
  valid += message.valid;
  broken.push(...message.broken);
  progress.add(sum(message.operations), message.broken.length);
});
await workers.ended;
progress.end();

const requests = sum(totals.operations);
for (const [title, counts] of [
  ['status', totals.statuses],
  ['credential', totals.credentials],
  ['mutation', totals.mutations],
  ['operation', totals.operations],
] as const) {
  process.stdout.write('\n');
  const rows = Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));
  printColumns([
    [title, 'requests', '%', ...(title === 'operation' ? ['broken'] : [])],
    ...rows.map(([name, value]) => [
      name,
      value,
      Number(((100 * value) / requests).toFixed(1)),
      ...(title === 'operation' ? [broken.filter(({ id }) => id === name).length] : []),
    ]),
  ]);
}
const share = valid / Math.max(1, requests);
process.stdout.write(`\n${(100 * share).toFixed(0)} % of the requests got past validation.\n`);
printBroken();
const fewest = 1 / 3;
if (share < fewest) process.stdout.write('Too few requests got past validation.\n');
process.exit(broken.length > 0 || share < fewest ? 1 : 0);

/** Each kind of problem of an operation once, with a request that shows it. */
function printBroken(): void {
  const kinds = Map.groupBy(broken, ({ id, problems }) => `${id} ${problems[0]?.slice(0, 60)}`);
  for (const all of kinds.values()) {
    const [{ id, credential, mutations, problems, answer, curl }] = all as [BrokenRequest];
    process.stdout.write(
      `\n${id}, ${all.length} times: ${mutations.join(', ') || 'no mutation'}, ${credential} credential\n`,
    );
    for (const problem of problems) process.stdout.write(`  ${problem}\n`);
    process.stdout.write(`  answered ${answer}\n  ${curl}\n`);
  }
  if (broken.length > 0)
    process.stdout.write(
      `\n${broken.length} broken. Repeat: npm run fuzz -- ${bound} --seed ${seed} --workers ${count}\n`,
    );
}

function sum(counts: Counts): number {
  return Object.values(counts).reduce((total, value) => total + value, 0);
}
