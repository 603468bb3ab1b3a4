import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from './errors.ts';
import { jitterMs } from './random.ts';
import { isUndecided } from './table.ts';

/** With waits between them, some 17 seconds at the longest: within a function's time. */
const maxRounds = 30;

/**
 * Does again what reads, decides and writes bound to what it read, until nobody else was faster. Those who lost
 * wait, each for a time of his own, so that they do not meet again.
 *
 * @param attempt undefined when it lost; what it throws ends the rounds.
 * @throws ApiError `conflict` when others were faster for too long.
 */
export async function untilWon<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let round = 0; round < maxRounds; round += 1) {
    const won = await attempt().catch((error: unknown) => {
      // Cancelled for what others were writing at that moment: nothing was written.
      if (isUndecided(error)) return undefined;
      throw error;
    });
    if (won !== undefined) return won;
    await sleep(jitterMs(10 * 2 ** Math.min(round, 6)));
  }
  throw new ApiError('conflict');
}
