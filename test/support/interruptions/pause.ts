import { AsyncLocalStorage } from 'node:async_hooks';
import { failTable } from '../faults.ts';

/**
 * Runs `work`. Before one of its calls to the table, `meanwhile` runs to its end: before the call with an index, or before the
 * first of a command. `meanwhile` has none of the grants of the paused function, and its errors are not those of that function.
 *
 * @returns the result of `work`, and whether it made that call: without it, `meanwhile` did not run.
 */
export async function pausedAt<T>(
  at: number | string,
  work: () => Promise<T>,
  meanwhile: () => Promise<unknown>,
): Promise<{ result: T; isReached: boolean }> {
  const outside = AsyncLocalStorage.snapshot();
  let isReached = false;
  let failure: { error: unknown } | undefined;
  const pause = failTable(async (command, index) => {
    if (isReached || (index !== at && command !== at)) return undefined;
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

/** Runs a scenario for each call that its work makes. @returns how many there were. */
export async function atEveryCall(
  scenario: (at: number) => Promise<{ isReached: boolean }>,
): Promise<number> {
  let at = 0;
  while ((await scenario(at)).isReached) at += 1;
  return at;
}
