import { test } from 'vitest';

/** A test of those entries of a table that have something; the others do not list it as skipped. */
export function onlyIf(has: unknown): (name: string, body: () => void | Promise<void>) => void {
  return has ? test : () => {};
}
