/**
 * npm run orders: runs pairs of commands that meet under every order of their calls to the table. `--changed` takes those of which
 * the function of one differs from main, `--only <pair> --schedule 'A0 B0 A1'` runs one order, and `--faults` runs every order with each
 * fault of each call, for the pairs where it matters. See docs/robustness.md.
 */
import { defined } from '../../functions/shared/contract/defined.ts';
import { optionsOrUsage } from '../support/parallel/options.ts';
import { Progress, printColumns } from '../support/parallel/progress.ts';
import { Seeded } from '../support/parallel/seeded.ts';
import { startWorkers } from '../support/parallel/workers.ts';
import type { PairResult } from './messages.ts';
import { allPairs, nameOf } from './pairs.ts';
import { touchedOperations } from './touched.ts';

const args = process.argv.slice(2);
/** Takes an option with its values out of the command line. */
const taken = (name: string, values: number): string[] | undefined =>
  args.includes(name) ? args.splice(args.indexOf(name), 1 + values) : undefined;
const schedule = taken('--schedule', 1)?.[1];
const isChanged = taken('--changed', 0) !== undefined;
const areFaulty = taken('--faults', 0) !== undefined;
const { bound, seed, workers: count, only } = optionsOrUsage('orders', args, 20_000);

const mostOrders = areFaulty ? 100 : 1_000;
/** Where a call that is lost, late or doubled costs money, access or data. */
const withFaults =
  /^(shares|devices|vault|payments|links\.review|console\.review|subscriptions|oauth\.token)/;

const named = allPairs()
  .filter((pair) => nameOf(pair).includes(only))
  .filter(({ first }) => !areFaulty || withFaults.test(first));
if (named.length === 0) {
  process.stderr.write(
    `No pair has "${only}" in its name. Names are such as "shares.open and shares.burn".\n`,
  );
  process.exit(2);
}
const touched = isChanged && (await touchedOperations([...new Set(named.map(({ first }) => first))]));
const all = touched ? named.filter(({ first, second }) => touched.has(first) || touched.has(second)) : named;
const pairs = new Seeded(seed).shuffled(all).slice(0, bound);
process.stdout.write(`Seed ${seed}, ${count} workers, ${pairs.length} of ${all.length} pairs\n`);

const results: PairResult[] = [];
const progress = new Progress(pairs.length, 'pairs');
const parts = Array.from({ length: count }, (_, index) => ({
  pairs: pairs.filter((_, i) => i % count === index),
  most: mostOrders,
  ...defined({
    schedule,
    // A run of some pairs draws two faults of each.
    faults: areFaulty ? { seed, most: pairs.length < all.length ? 2 : Number.POSITIVE_INFINITY } : undefined,
  }),
}));
await startWorkers<PairResult>(new URL('worker.ts', import.meta.url), parts, (result) => {
  results.push(result);
  progress.add(1, 'problem' in result ? 1 : 0);
}).ended;
progress.end();

const run = results.flatMap((result) => ('orders' in result ? [result.orders] : []));
const sum = (of: (orders: (typeof run)[number]) => number) => run.reduce((total, one) => total + of(one), 0);
const left = (why: string) => results.filter((result) => 'left' in result && result.left === why).length;
process.stdout.write('\n');
printColumns([
  ['pairs that meet', run.length],
  ['orders run', sum((one) => one.run)],
  ['orders in all, of which the others have the same effect', sum((one) => one.all)],
  [`pairs with more than ${mostOrders} orders, of which so many were run`, sum((one) => Number(one.isCut))],
  ['pairs that use no item together', left('apart')],
  ['pairs of which the second is refused in the world of the first', left('refused')],
  ['pairs of which one makes more than 16 calls', left('long')],
]);
const broken = results.flatMap((result) => ('problem' in result ? [result] : []));
for (const { pair, problem } of broken) process.stdout.write(`\n${nameOf(pair)}: ${problem}\n`);
const [first] = broken;
if (first !== undefined)
  process.stdout.write(
    `\nRepeat: npm run orders -- --only '${nameOf(first.pair)}' ${areFaulty ? '--faults' : "--schedule '<order>'"}\n`,
  );
process.exitCode = broken.length > 0 ? 1 : 0;
