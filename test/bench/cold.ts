import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { registeredRoutes } from '../../functions/routes.ts';
import { bundleFunctions } from '../../lib/bundle.ts';
import { proxyEvent } from '../support/call.ts';
import { samples } from '../support/samples.ts';
import { bundleExceptions, bundleKb, coldRatio } from './budgets.ts';
import { median, printTable, round, verdict } from './print.ts';

const run = promisify(execFile);
const starts = 21;
const bare = 'bare SDK handler';
const child = join(import.meta.dirname, 'cold-start.mjs');

interface Candidate {
  id: string;
  bundle: string;
  bytes: number;
  event: string;
}

/** Bundles every function as the deployment does, then starts each in fresh processes, in turn with the bare one. */
export async function benchCold(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'vouchsafe-bench-'));
  const bundles = await bundleFunctions(directory);
  const candidates: Candidate[] = [await bareHandler(directory)];
  for (const entry of registeredRoutes()) {
    const bundle = bundles.find(({ id }) => id === entry.id);
    if (bundle === undefined) throw new Error(`${entry.id} was not bundled`);
    const event = JSON.stringify(proxyEvent(entry, await samples[entry.id]?.()));
    candidates.push({
      id: entry.id,
      bundle: join(bundle.directory, 'index.js'),
      bytes: bundle.bytes,
      event,
    });
  }

  const totals = new Map<string, { init: number[]; total: number[] }>();
  for (let i = 0; i < starts; i += 1) {
    for (const { id, bundle, event } of candidates) {
      const { stdout } = await run(process.execPath, [child, bundle, event]);
      const { initMs, firstMs } = JSON.parse(stdout);
      const times = totals.get(id) ?? { init: [], total: [] };
      times.init.push(initMs);
      times.total.push(initMs + firstMs);
      totals.set(id, times);
    }
  }

  const yardstick = median(totals.get(bare)?.total ?? []);
  printTable(
    `Cold start: import and first call in a fresh process, median of ${starts}; bundle size`,
    ['function', 'import ms', 'with first call ms', 'x bare', 'budget', '', 'KB', 'budget', ''],
    candidates.map(({ id, bytes }) => {
      const times = totals.get(id) ?? { init: [], total: [] };
      const total = median(times.total);
      const kb = bytes / 1024;
      const held = id !== bare;
      return [
        ...[id, round(median(times.init)), round(total), round(total / yardstick, 2)],
        ...(held ? [coldRatio, verdict(total / yardstick <= coldRatio)] : ['', '']),
        Math.round(kb),
        ...(held ? [bundleKb, bundleExceptions[id] ?? verdict(kb <= bundleKb)] : ['', '']),
      ];
    }),
  );
}

/** Built like ours, so that the figures differ by what is ours; its credentials are the SDK's own chain. */
async function bareHandler(directory: string): Promise<Candidate> {
  const [bundle] = await bundleFunctions(join(directory, 'bare'), {
    registry: registeredRoutes().slice(0, 1),
    entry: () => 'test/bench/bare-handler.ts',
    alias: {},
  });
  if (bundle === undefined) throw new Error('The bare handler was not bundled');
  return { id: bare, bundle: join(bundle.directory, 'index.js'), bytes: bundle.bytes, event: '{}' };
}
