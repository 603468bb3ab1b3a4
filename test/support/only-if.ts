/**
 * `test` when the condition is true. Otherwise a function that registers no test, so that none is listed as
 * skipped.
 */
export function onlyIf(condition: unknown): (name: string, body: () => void | Promise<void>) => void {
  return condition ? test : () => {};
}
