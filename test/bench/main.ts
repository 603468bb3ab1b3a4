/**
 * npm run bench: what the suite costs, measured now on this machine, each figure beside its budget.
 *
 * Capacity and round trips are the same everywhere; times compare within one run only. `npm run bench -- cold http`
 * measures these parts only.
 */
import { availableParallelism } from 'node:os';
import setup from '../support/global-setup.ts';

const parts: Record<string, () => Promise<void>> = {
  capacity: async () => (await import('./capacity.ts')).benchCapacity(),
  lists: async () => {
    await (await import('./lists.ts')).benchLists();
    await (await import('./link-lists.ts')).benchLinkLists();
  },
  warm: async () => (await import('./warm.ts')).benchWarm(),
  cold: async () => (await import('./cold.ts')).benchCold(),
  http: async () => (await import('./http.ts')).benchHttp(),
};

const asked = process.argv.slice(2);
const stopEngine = await setup();
try {
  process.stdout.write(
    `Node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores\n`,
  );
  for (const [name, bench] of Object.entries(parts)) {
    if (asked.length === 0 || asked.includes(name)) await bench();
  }
} finally {
  await stopEngine();
}
process.exit(0);
