import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Registered } from '../../../functions/routes.ts';
import type { StageSettings } from '../../../lib/deployment/stages.ts';
import { synthesize } from './deployment.ts';

/**
 * As {@link synthesize}, once for all workers of the run: the first that asks writes the templates into the temporary
 * folder of the run, and the others wait for them and read them.
 *
 * @param name of these settings and routes.
 */
export function synthesizedOnce(
  name: string,
  settings: Partial<StageSettings>,
  registry?: readonly Registered[],
): ReturnType<typeof synthesize> {
  const file = join(tmpdir(), `synthesized-${name}.json`);
  const lock = `${file}.lock`;
  while (!existsSync(file)) {
    if (!taken(lock)) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      continue;
    }
    try {
      const { templates, warnings } = synthesize(settings, registry);
      writeFileSync(`${file}.new`, JSON.stringify({ templates: [...templates], warnings }));
      renameSync(`${file}.new`, file);
    } finally {
      rmSync(lock);
    }
  }
  const { templates, warnings } = JSON.parse(readFileSync(file, 'utf8'));
  return { templates: new Map(templates), warnings };
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
