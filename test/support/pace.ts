/** Limits on how long something takes that hold on a busy machine too. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A quiet machine starts and ends a Node process that does nothing in less. */
const quietStartMs = 50;

/**
 * The time that this machine may take for what a quiet one does within `quietMs`. The yardstick is the start of a
 * process, measured now.
 */
export async function limitMs(quietMs: number): Promise<number> {
  const startedMs = performance.now();
  await once(spawn(process.execPath, ['--eval', '0'], { stdio: 'ignore' }), 'close');
  return quietMs * Math.max(1, (performance.now() - startedMs) / quietStartMs);
}
