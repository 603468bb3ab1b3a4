/**
 * Waits for all promises, unlike `Promise.all` also after one has failed: nothing goes on after the answer of a function, when
 * Lambda freezes its process.
 *
 * @throws the error of the first in the list that failed.
 */
export async function whenSettled<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  return valuesOf(await Promise.allSettled(promises));
}

/** @throws the error of the first outcome that is a failure. */
export function valuesOf<T>(outcomes: readonly PromiseSettledResult<T>[]): T[] {
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}
