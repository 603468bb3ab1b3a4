/**
 * npm run bench: what the suite costs, measured now on this machine, each figure beside its budget.
 *
 * Capacity and round trips are the same everywhere; times compare within one run only.
 */
import { availableParallelism } from 'node:os';
import setup from '../support/global-setup.ts';

const stopEngine = await setup();
try {
  process.stdout.write(
    `Node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores\n`,
  );
  const { benchCold } = await import('./cold.ts');
  const { benchCapacity } = await import('./capacity.ts');
  const { benchWarm } = await import('./warm.ts');
  const { benchHttp } = await import('./http.ts');
  await benchCapacity();
  await benchWarm();
  await benchCold();
  await benchHttp();
} finally {
  await stopEngine();
}
process.exit(0);
