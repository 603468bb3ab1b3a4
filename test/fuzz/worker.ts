/** A process of `npm run fuzz`: serves the API to itself, and sends its part of the requests. */
import { defined } from '../../functions/shared/contract/defined.ts';
import setup from '../support/global-setup.ts';
import { givenPart, report } from '../support/parallel/workers.ts';
import type { FuzzMessage, FuzzPart } from './messages.ts';

process.env.POWERTOOLS_LOG_LEVEL = 'INFO';
const part = await givenPart<FuzzPart>();
const stop = await setup();
await import('../support/table/table-of-worker.ts');
await import('../support/table/table-connection.ts');
const { Fuzzer } = await import('./fuzzer.ts');

const fuzzer = await Fuzzer.start(part);
const reportEvery = 100;
for (let left = part.requests; left > 0; left -= reportEvery) {
  const counts: FuzzMessage = await fuzzer.run(Math.min(left, reportEvery));
  await report(defined(counts));
}
await fuzzer.close();
await stop();
process.exit(0);
