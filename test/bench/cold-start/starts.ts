import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bundle } from '../../../lib/bundle.ts';
import { lowerQuartile } from '../print.ts';

const run = promisify(execFile);
const child = join(import.meta.dirname, 'child.mjs');

/** A bundle and the event of its first call. */
export interface Candidate {
  name: string;
  bundle: Bundle;
  /** Created for each start, because a code works once. */
  event: () => object | Promise<object>;
  env?: Record<string, string>;
  /** Number of starts, where it is lower than the usual one. */
  times?: number;
}

/** One start in a process of its own. */
export interface Start {
  loadMs: number;
  firstMs: number;
  /** Requests to the table, Secrets Manager, SES and Step Functions. */
  calls: [table: number, secret: number, mail: number, execution: number];
}

/** @throws Error when the first call fails. */
export async function start({ name, bundle, event, env }: Candidate): Promise<Start> {
  const args = [child, join(bundle.directory, 'index.js'), JSON.stringify(await event())];
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, ...env } });
  const { statusCode, ...figures } = JSON.parse(stdout);
  if (statusCode >= 400) throw new Error(`${name} answered ${statusCode}`);
  return figures;
}

/** Lower quartiles of up to `times` starts of each, taken in turn, so that other load affects all of them. */
export async function startInTurn<C extends Candidate>(
  candidates: readonly C[],
  times: number,
): Promise<Map<C, { loadMs: number; totalMs: number }>> {
  const starts = new Map(candidates.map((candidate) => [candidate, [] as Start[]]));
  for (let i = 0; i < times; i += 1) {
    for (const [candidate, done] of starts) {
      // Fewer starts are spread over all turns.
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
