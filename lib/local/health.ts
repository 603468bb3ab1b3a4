import { randomBytes } from 'node:crypto';
import * as keys from '../../functions/shared/contract/keys.ts';
import { secondMs } from '../../functions/shared/runtime/clock.ts';
import { checkDatabase, explainFileError } from './data-files.ts';
import type { State } from './state.ts';
import type { LocalTable } from './table.ts';

interface HealthOptions {
  state: Pick<State, 'set'>;
  table: LocalTable;
  tablePath: string | undefined;
}

/** An item that the free pages of a database rarely hold: a disk that is full takes small ones for a while. */
const itemBytes = 200 * 1024;
const timeoutMs = 5 * secondMs;
const key = keys.rateLimit('local-health', 'stack');

export function healthCheck(options: HealthOptions): () => Promise<string> {
  let running: Promise<string> | undefined;
  return () => {
    running ??= checkHealth(options).finally(() => {
      running = undefined;
    });
    return running;
  };
}

/**
 * Whether the data can be written and read now: both files are written, the item is read back, and the file of the engine is
 * checked, because the engine goes on with the pages that it has in memory when its file is damaged.
 */
async function checkHealth({ state, table, tablePath }: HealthOptions): Promise<string> {
  const limit = AbortSignal.timeout(timeoutMs);
  const written = randomBytes(itemBytes / 2).toString('hex');
  try {
    state.set('health', 'written');
    await table.put(Object.assign({ written }, key), limit);
    if ((await table.get(key, limit))?.written !== written)
      throw new Error('The DynamoDB engine has not kept what was written');
    if (tablePath !== undefined) checkDatabase(tablePath);
    return 'ok';
  } catch (error) {
    if (limit.aborted) return `The DynamoDB engine has not answered within ${timeoutMs / secondMs} seconds`;
    return Object(explainFileError(tablePath ?? 'The table', error)).message;
  }
}
