/** A process of `npm run orders`: runs the pairs that it is given. */
import setup from '../support/global-setup.ts';
import { Seeded } from '../support/parallel/seeded.ts';
import { givenPart, report } from '../support/parallel/workers.ts';
import type { PairResult, WorkerPart } from './messages.ts';
import type { Pair } from './pairs.ts';

process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
const { pairs, faults, ...search } = await givenPart<WorkerPart>();
const stop = await setup();
await import('../support/table/table-of-worker.ts');
await import('../support/table/table-connection.ts');
const { FaultyConnection } = await import('../faults/connection.ts');
const { shortenWaits } = await import('../faults/fast-time.ts');
const { runPair, runPairWithFaults } = await import('./run-pair.ts');

shortenWaits();
const connection = new FaultyConnection();
const run = (pair: Pair) =>
  faults === undefined
    ? runPair(pair, search)
    : runPairWithFaults(pair, connection, search.most, (all) =>
        new Seeded(faults.seed).shuffled(all).slice(0, faults.most),
      );
for (const pair of pairs) {
  const result = await run(pair).catch((error: unknown) => ({ problem: (error as Error).message }));
  await report({ pair, ...result } satisfies PairResult);
}
connection.close();
await stop();
process.exit(0);
