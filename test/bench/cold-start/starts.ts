import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bundle } from '../../../lib/deployment/bundling/bundle.ts';
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
}

/** One start in a process of its own; times in milliseconds of processor time. */
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

/**
 * Starts each pair in turn, so that other load affects both.
 *
 * @returns the lower quartiles of the processor time, in milliseconds.
 */
export async function startInTurn<C extends Candidate & { times: number }>(
  pairs: readonly { one: C; alike: Candidate }[],
): Promise<Map<C, { loadMs: number; totalMs: number; alikeMs: number }>> {
  const measured = new Map<C, { loadMs: number; totalMs: number; alikeMs: number }>();
  const total = ({ loadMs, firstMs }: Start) => loadMs + firstMs;
  for (const { one, alike } of pairs) {
    const ours: Start[] = [];
    const bare: Start[] = [];
    for (let i = 0; i < one.times; i += 1) {
      ours.push(await start(one));
      bare.push(await start(alike));
    }
    measured.set(one, {
      loadMs: lowerQuartile(ours.map(({ loadMs }) => loadMs)),
      totalMs: lowerQuartile(ours.map(total)),
      alikeMs: lowerQuartile(bare.map(total)),
    });
  }
  return measured;
}
