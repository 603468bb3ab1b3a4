/**
 * npm run bench: measures time, size and cost on this machine, and prints each figure next to its budget.
 *
 * Capacity and round trips are the same on every machine; times compare within one run only.
 * `npm run bench -- documents` counts what `docs/scale.md` and `docs/cost.md` quote again, and writes their tables.
 * `npm run bench -- cold http` measures these parts only, `npm run bench -- subscriptions` all parts of one service.
 */
import { availableParallelism } from 'node:os';
import { registeredRoutes } from '../../functions/routes.ts';
import setup from '../support/global-setup.ts';
import { checkBudgets } from './check-budgets.ts';
import { readFigures } from './figures/figures.ts';
import type { Table } from './figures/table.ts';
import { printTable } from './print.ts';

const isService = (name: string) => registeredRoutes().some(({ service }) => service === name);
const args = process.argv.slice(2);
const services = args.filter((name) => isService(name));
const isChosen = (service: string) => services.length === 0 || services.includes(service);
const chosen = (id: string) => isChosen(id.split('.')[0] ?? '');

const parts: Record<string, () => Promise<void>> = {
  capacity: async () => (await import('./capacity/capacity.ts')).benchCapacity(chosen),
  lists: async () => {
    if (isChosen('devices')) await (await import('./capacity/device-lists.ts')).benchLists();
    if (isChosen('links')) await (await import('./capacity/link-lists.ts')).benchLinkLists();
    if (isChosen('finance')) {
      await (await import('./capacity/finance-lists.ts')).benchFinanceLists();
      await (await import('./capacity/large-report.ts')).benchLargeReport();
    }
  },
  warm: async () => (await import('./warm/warm.ts')).benchWarm(chosen),
  cold: async () => (await import('./cold-start/cold.ts')).benchCold(chosen),
  http: async () => {
    if (isChosen('shares')) await (await import('./load/http.ts')).benchHttp();
    if (isChosen('subscriptions'))
      await (await import('./load/subscription-http.ts')).benchSubscriptionHttp();
  },
  pages: async () => {
    if (services.length === 0) await (await import('./pages/pages.ts')).benchPages();
  },
  cost: async () => {
    if (services.length === 0) (await import('./cost/idle-cost.ts')).benchIdleCost();
    if (isChosen('subscriptions')) await (await import('./cost/cost.ts')).benchCost();
    if (services.length === 0) await printTables('docs/cost.md');
  },
  scale: () => printTables('docs/scale.md'),
  'first-of-month': async () => {
    const { firstOfMonthTable } = await import('./scale/scale-tables.ts');
    print(firstOfMonthTable(readFigures()));
  },
  events: async () => {
    if (isChosen('webhooks')) await (await import('./events/events.ts')).benchEvents();
  },
  'hostile-files': async () => {
    if (isChosen('finance')) await (await import('./hostile-files/hostile-files.ts')).benchHostileFiles();
  },
  clock: async () => {
    if (isChosen('subscriptions')) await (await import('./clock/clock.ts')).benchClock();
  },
};

/** Chosen by name only: it writes files. */
const documentsPart = 'documents';
parts[documentsPart] = async () => (await import('./figures/documents.ts')).writeDocuments();

/** Prints the tables of a document from the figures of the last count. */
async function printTables(file: string): Promise<void> {
  const { documents } = await import('./figures/documents.ts');
  for (const table of Object.values(documents[file]?.(readFigures()) ?? {})) print(table);
}

function print({ heading, columns, rows }: Table): void {
  printTable(
    heading,
    [...columns],
    rows.map((row) => [...row]),
  );
}

const chosenParts = args.filter((name) => !isService(name));
for (const name of chosenParts)
  if (!(name in parts)) throw new Error(`There is no part and no service ${name}`);

checkBudgets();
const stopEngine = await setup();
try {
  await import('../support/table-of-worker.ts');
  process.stdout.write(
    `Node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores\n`,
  );
  for (const [name, bench] of Object.entries(parts)) {
    if (chosenParts.includes(name) || (chosenParts.length === 0 && name !== documentsPart)) await bench();
  }
} finally {
  await stopEngine();
}
process.exit(0);
