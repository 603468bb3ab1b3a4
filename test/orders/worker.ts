/** A process of `npm run orders`: runs the pairs that it is given. */
import setup from '../support/global-setup.ts';
import { givenPart, report } from '../support/parallel/workers.ts';
import type { PairResult, WorkerPart } from './messages.ts';

process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
const { pairs, most, schedule } = await givenPart<WorkerPart>();
const stop = await setup();
await import('../support/table/table-of-worker.ts');
await import('../support/table/table-connection.ts');
const { shortenWaits } = await import('../faults/fast-time.ts');
const { runPair } = await import('./run-pair.ts');

shortenWaits();
for (const pair of pairs) {
  const result = await runPair(pair, most, schedule).catch((error: unknown) => ({
    problem: (error as Error).message,
  }));
  await report({ pair, ...result } satisfies PairResult);
}
await stop();
process.exit(0);
