/** A fault of one line: `find` stands once in `file`, and `replace` takes its place when Vitest loads the module. */
export interface PlantedFault {
  /** A sentence without a full stop: `the tenant of a link is not compared`. */
  name: string;
  /** From the root of the project. */
  file: string;
  find: string;
  replace: string;
  caughtBy: CaughtBy;
}

/**
 * The tests of which one must fail: those that docs/security.md names for a promise, quoted from its first column,
 * or those of some files or folders.
 */
type CaughtBy = { promise: string } | { tests: readonly string[] };
