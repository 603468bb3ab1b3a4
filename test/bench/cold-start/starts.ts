import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bundle } from '../../../lib/bundle.ts';
import { lowerQuartile } from '../print.ts';

const run = promisify(execFile);
const child = join(import.meta.dirname, 'child.mjs');

/** A bundle, and what its first call is asked. */
export interface Candidate {
  name: string;
  bundle: Bundle;
  /** Made anew for each start, because a code works once. */
  event: () => object | Promise<object>;
  env?: Record<string, string>;
  /** Starts, when they are fewer than those of the others. */
  times?: number;
}

/** One start in a process of its own. */
export interface Start {
  loadMs: number;
  firstMs: number;
  /** Requests to the table, Secrets Manager, SES and Step Functions. */
  calls: [table: number, secret: number, mail: number, execution: number];
}

/** @throws when the first call is not answered well. */
export async function start({ name, bundle, event, env }: Candidate): Promise<Start> {
  const args = [child, join(bundle.directory, 'index.js'), JSON.stringify(await event())];
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, ...env } });
  const { statusCode, ...figures } = JSON.parse(stdout);
  if (statusCode >= 400) throw new Error(`${name} answered ${statusCode}`);
  return figures;
}

/** Lower quartiles of up to so many starts of each, taken in turn: whatever else the machine does meets all alike. */
export async function startInTurn<C extends Candidate>(
  candidates: readonly C[],
  times: number,
): Promise<Map<C, { loadMs: number; totalMs: number }>> {
  const starts = new Map(candidates.map((candidate) => [candidate, [] as Start[]]));
  for (let i = 0; i < times; i += 1) {
    for (const [candidate, done] of starts) {
      // Fewer starts are spread over all the turns.
      if (i % Math.ceil(times / (candidate.times ?? times)) === 0) done.push(await start(candidate));
    }
  }
  return new Map(
    [...starts].map(([candidate, done]) => [
      candidate,
      {
        loadMs: lowerQuartile(done.map(({ loadMs }) => loadMs)),
        totalMs: lowerQuartile(done.map(({ loadMs, firstMs }) => loadMs + firstMs)),
      },
    ]),
  );
}
