import { AsyncLocalStorage } from 'node:async_hooks';
import { failTable } from './faults.ts';
import { accessesOf } from './granted.ts';

const isMeanwhile = new AsyncLocalStorage<true>();

/**
 * Runs `work`, and `meanwhile` to its end before the call to the table with an index. `meanwhile` does not run under the
 * grants of the paused function, and its errors are not those of that function.
 *
 * @param aside prefixes of partition keys that do not concern `meanwhile`: a pause before a call to nothing else would be
 * the same as the pause before the next call, so that such a call has no index. A partition that both use is an error.
 * @returns the result of `work`, and whether it made that call: without it, `meanwhile` did not run.
 */
export async function pausedAt<T>(
  at: number,
  work: () => Promise<T>,
  meanwhile: () => Promise<unknown>,
  aside: readonly string[] = [],
): Promise<{ result: T; isReached: boolean }> {
  const outside = AsyncLocalStorage.snapshot();
  let isReached = false;
  let failure: { error: unknown } | undefined;
  let index = -1;
  const skipped = new Set<string>();
  const metMeanwhile = new Set<string>();
  const pause = failTable(async (command, _, input) => {
    const partitions = aside.length === 0 ? [] : accessesOf(command, input).map((one) => one.partition);
    if (isMeanwhile.getStore()) {
      for (const partition of partitions) metMeanwhile.add(partition);
      return undefined;
    }
    if (
      aside.length > 0 &&
      partitions.every((partition) => aside.includes(partition.split('#', 1)[0] ?? ''))
    ) {
      for (const partition of partitions) skipped.add(partition);
      return undefined;
    }
    index += 1;
    if (isReached || index !== at) return undefined;
    isReached = true;
    await outside(() => isMeanwhile.run(true, meanwhile)).catch((error: unknown) => {
      failure = { error };
    });
    return undefined;
  });
  const result = await work().finally(() => pause.restore());
  if (failure !== undefined) throw failure.error;
  const shared = [...skipped].filter((partition) => metMeanwhile.has(partition));
  if (shared.length > 0) throw new Error(`Not aside, because both used them: ${shared.join()}`);
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
