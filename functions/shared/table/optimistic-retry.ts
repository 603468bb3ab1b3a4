import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../contract/errors.ts';
import { elapsedMs } from '../runtime/clock.ts';
import { jitterMs } from '../runtime/random.ts';
import { isTransactionConflict } from './table.ts';

const maxRounds = 30;
/** A round waits too, while its transaction meets others: with all of them a function's 25 seconds could run out. */
const maxMs = 12_000;

/**
 * Does again what reads, decides and writes bound to what it read, until nobody else was faster. Those who lost
 * wait, each for a time of his own, so that they do not meet again.
 *
 * @param attempt undefined when it lost; what it throws ends the rounds.
 * @throws ApiError `conflict` when others were faster for too long.
 */
export async function retryOnConflict<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  const startedMs = elapsedMs();
  for (let round = 0; round < maxRounds && elapsedMs() - startedMs < maxMs; round += 1) {
    const won = await attempt().catch((error: unknown) => {
      // Cancelled for what others were writing at that moment: nothing was written.
      if (isTransactionConflict(error)) return undefined;
      throw error;
    });
    if (won !== undefined) return won;
    await sleep(jitterMs(10 * 2 ** Math.min(round, 6)));
  }
  throw new ApiError('conflict');
}
