/** A fault of one line: `find` stands once in `file`, and `replace` takes its place when Vitest loads the module. */
export interface PlantedFault {
  /** A sentence without a full stop: `the tenant of a link is not compared`. */
  name: string;
  /** From the root of the project. */
  file: string;
  find: string;
  replace: string;
  /** Of docs/security.md, quoted from its first column: one of the tests that it names must fail. */
  promise: string;
}

/**
 * The faults of an area, by the promise whose tests catch each. A fault is its file, its name, and the text to find with the
 * one to put there; without the second, the text is left out.
 */
export type Area = Readonly<
  Record<string, Readonly<Record<string, readonly [find: string, replace?: string]>>>
>;

export const faultsOf = (area: Area): PlantedFault[] =>
  Object.entries(area).flatMap(([promise, faults]) =>
    Object.entries(faults).map(([title, [find, replace = '']]) => {
      const colon = title.indexOf(': ');
      return { file: title.slice(0, colon), name: title.slice(colon + 2), find, replace, promise };
    }),
  );
