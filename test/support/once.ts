import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { writeDeployedFiles } from '../../lib/deployment/bundling/deployed-files.ts';

/**
 * Makes a file or a folder in the temporary folder of the run, once for all workers: the first that asks makes it, and the others
 * wait for it.
 *
 * @returns its path.
 */
export async function madeOnce(name: string, make: (path: string) => unknown): Promise<string> {
  const path = join(tmpdir(), name);
  const lock = `${path}.lock`;
  while (!existsSync(path)) {
    if (!taken(lock)) {
      await wait(100);
      continue;
    }
    try {
      if (existsSync(path)) break;
      await make(`${path}.new`);
      renameSync(`${path}.new`, path);
    } finally {
      rmSync(lock);
    }
  }
  return path;
}

/** Whether this process now has the lock. */
function taken(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The folder of the files that are packed with the code of functions. */
export const deployedFiles = () => madeOnce('deployed-files', (path) => writeDeployedFiles(path));
