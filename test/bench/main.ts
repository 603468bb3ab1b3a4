/**
 * npm run bench: measures time, size and requests on this machine, and prints each figure next to its budget. It fails when
 * one is over.
 *
 * Capacity and round trips are the same on every machine; times compare within one run only.
 * `npm run bench -- documents` counts what `docs/scale.md` and `docs/cost.md` quote again, and writes their tables.
 * `npm run bench -- cold pages` measures these parts only, `npm run bench -- subscriptions` all parts of one service, and
 * `npm run bench -- sample` the least of every part, in which no time is judged.
 */
import { availableParallelism } from 'node:os';
import { registeredRoutes } from '../../functions/routes.ts';
import setup from '../support/global-setup.ts';
import { checkBudgets } from './check-budgets.ts';
import { figuresOver, judgeNoTimes } from './print.ts';

const isService = (name: string) => registeredRoutes().some(({ service }) => service === name);
const sampleWord = 'sample';
const isSample = process.argv.includes(sampleWord);
const args = process.argv.slice(2).filter((name) => name !== sampleWord);
const services = args.filter((name) => isService(name));
const isChosen = (service: string) => services.length === 0 || services.includes(service);
const sampled = new Set(['shares.open', 'console.sign-in-submit', 'oauth.token', 'notices.deliver']);
const chosen = (id: string) => (isSample ? sampled.has(id) : isChosen(id.split('.')[0] ?? ''));

const parts: Record<string, () => Promise<void>> = {
  capacity: async () => (await import('./capacity/capacity.ts')).benchCapacity(chosen),
  report: async () => {
    if (isChosen('reports'))
      await (await import('./capacity/large-report.ts')).benchLargeReport(isSample ? [4_000] : undefined);
  },
  lists: async () => {
    if (services.length === 0)
      await (await import('./capacity/large-lists.ts')).benchLargeLists(isSample ? 6_000 : undefined);
  },
  cold: async () => (await import('./cold-start/cold.ts')).benchCold(chosen, isSample),
  pages: async () => {
    if (services.length === 0) await (await import('./pages/pages.ts')).benchPages(isSample);
  },
  'hostile-files': async () => {
    if (isChosen('statements'))
      await (await import('./hostile-files/hostile-files.ts')).benchHostileFiles(isSample ? 2 : undefined);
  },
};

/** Whole when chosen by name only: it writes files. */
const documentsPart = 'documents';
parts[documentsPart] = async () => (await import('./figures/documents.ts')).writeDocuments(isSample);

const chosenParts = args.filter((name) => !isService(name));
for (const name of chosenParts)
  if (!(name in parts)) throw new Error(`There is no part and no service ${name}`);

checkBudgets();
if (isSample) judgeNoTimes();
const stopEngine = await setup();
try {
  await import('../support/table/table-of-worker.ts');
  process.stdout.write(
    `Node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores\n`,
  );
  for (const [name, bench] of Object.entries(parts)) {
    if (chosenParts.includes(name) || (chosenParts.length === 0 && (isSample || name !== documentsPart)))
      await bench();
  }
} finally {
  await stopEngine();
}
const over = figuresOver();
process.stdout.write(
  over === 0 ? '\nNo figure is over its budget.\n' : `\n${over} figures are OVER their budgets.\n`,
);
process.exit(over === 0 ? 0 : 1);
