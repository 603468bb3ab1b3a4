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

/**
 * The faults of an area, by who catches each: a promise, or paths of tests with a space between them. A fault is its file, its name,
 * and the text to find with the one to put there; without the second, the text is left out.
 */
export type Area = Readonly<
  Record<string, Readonly<Record<string, readonly [find: string, replace?: string]>>>
>;

export const faultsOf = (area: Area): PlantedFault[] =>
  Object.entries(area).flatMap(([catcher, faults]) => {
    const caughtBy = catcher.startsWith('test/') ? { tests: catcher.split(' ') } : { promise: catcher };
    return Object.entries(faults).map(([title, [find, replace = '']]) => {
      const colon = title.indexOf(': ');
      return { file: title.slice(0, colon), name: title.slice(colon + 2), find, replace, caughtBy };
    });
  });
