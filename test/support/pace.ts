/** Limits on how long something takes that hold on a busy machine too. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A quiet machine starts and ends a Node process that does nothing in less. */
const quietStartMs = 50;

/**
 * The time that this machine may take for what a quiet one does within `quietMs`. The yardstick is the slowest of
 * three starts of a process, measured now: the load of a busy machine changes within a second.
 */
export async function limitMs(quietMs: number): Promise<number> {
  let slowestMs = quietStartMs;
  for (let start = 0; start < 3; start += 1) {
    const startedMs = performance.now();
    await once(spawn(process.execPath, ['--eval', '0'], { stdio: 'ignore' }), 'close');
    slowestMs = Math.max(slowestMs, performance.now() - startedMs);
  }
  return (quietMs * slowestMs) / quietStartMs;
}
