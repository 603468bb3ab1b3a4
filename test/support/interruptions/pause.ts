import { AsyncLocalStorage } from 'node:async_hooks';
import { failTable } from '../faults.ts';

/**
 * Runs `work`. Before its first call of a command, `meanwhile` runs to its end. `meanwhile` has none of the grants of the paused function, and its errors are not those of that function.
 *
 * @returns the result of `work`, and whether it made that call: without it, `meanwhile` did not run.
 */
export async function pausedAt<T>(
  command: string,
  work: () => Promise<T>,
  meanwhile: () => Promise<unknown>,
): Promise<{ result: T; isReached: boolean }> {
  const outside = AsyncLocalStorage.snapshot();
  let isReached = false;
  let failure: { error: unknown } | undefined;
  const pause = failTable(async (called) => {
    if (isReached || called !== command) return undefined;
    isReached = true;
    await outside(meanwhile).catch((error: unknown) => {
      failure = { error };
    });
    return undefined;
  });
  const result = await work().finally(() => pause.restore());
  if (failure !== undefined) throw failure.error;
  return { result, isReached };
}
