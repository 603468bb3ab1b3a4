/**
 * Records the fixture of a release: prepares every scenario of `npm run faults` with the present code, and writes its
 * request and the items of the table to `test/fixtures/<release>/table.json`, and the table's indexes to `indexes.json`.
 *
 * `npm run fixture -- 0.1.0`
 */
import { installDate } from '../../lib/local/clock.ts';
import type { Call } from '../support/call.ts';
import { synthesize } from '../support/deployment/deployment.ts';
import setup from '../support/global-setup.ts';
import { dumpTable, writeFixture } from './fixture.ts';
import { declaredIndexes, writeIndexes } from './indexes.ts';

const [release = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(release)) {
  process.stderr.write('Usage: npm run fixture -- <release>, such as 0.1.0\n');
  process.exit(2);
}

/** In the future, so that no engine deletes an item whose time to live has passed. */
const recordedMs = Date.UTC(2034, 11, 1, 9);
const stop = await setup();
await import('../support/table/table-of-worker.ts');
const { recordedScenarios } = await import('./scenarios.ts');
const systemMs = Date.now;
const aheadMs = recordedMs - systemMs();
installDate(() => systemMs() + aheadMs);

const requests: Record<string, Call> = {};
for (const { name, ready } of recordedScenarios()) requests[name] = (await ready()) ?? {};
const items = await dumpTable(process.env.TABLE_NAME ?? '');
const file = writeFixture(release, { recordedAt: new Date().toISOString(), requests, items });
writeIndexes(release, declaredIndexes(synthesize().templates.get('data')?.json));
process.stdout.write(`${file}: ${Object.keys(requests).length} requests, ${items.length} items\n`);
await stop();
process.exit(0);
