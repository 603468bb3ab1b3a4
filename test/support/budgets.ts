/**
 * The time that tests may take, in seconds of a quiet machine of two processors: what they take, with room for the
 * first run of a clone, which compiles every module. So growth is seen when it begins. Lower a number when the tests become quicker.
 */

/** The guides and the README take 70. */
const fileSeconds = 150;
/** They take 650, some 750 and 60. */
const layerSeconds: Readonly<Record<string, number>> = { system: 1_100, handlers: 1_300, pure: 100 };

/** The seconds of a quiet machine that files of tests took, by their paths. */
export type Durations = Readonly<Record<string, number>>;

/** The files, and the layers, that took longer than they may, each with what to do. */
export function overBudget(durations: Durations): string[] {
  const files = Object.entries(durations).filter(([, seconds]) => seconds > fileSeconds);
  const layers = Object.entries(layerSeconds).map(([layer, budget]) => {
    const own = Object.entries(durations).filter(([file]) => file.startsWith(`test/${layer}/`));
    return { layer, budget, seconds: own.reduce((sum, [, seconds]) => sum + seconds, 0) };
  });
  return [
    ...files.map(
      ([file, seconds]) =>
        `${file} took ${seconds.toFixed(1)} s, and a file may take ${fileSeconds} s: share what it starts with other files, do the work in its process, or split it.`,
    ),
    ...layers
      .filter(({ seconds, budget }) => seconds > budget)
      .map(
        ({ layer, budget, seconds }) =>
          `test/${layer} took ${seconds.toFixed(0)} s, and may take ${budget} s: make its slowest files quicker, which npm test names, or take out a test that another one contains.`,
      ),
  ];
}
