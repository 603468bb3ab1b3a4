/** Plants the fault that the environment names into its module, whenever Vitest loads it. */

import type { PlantedFault } from './fault.ts';

/** The variable with a {@link PlantedFault} as JSON. */
export const plantedFault = 'PLANTED_FAULT';

export const plant = {
  name: 'plant',
  enforce: 'pre' as const,
  transform(source: string, path: string): string | undefined {
    const given = process.env[plantedFault];
    if (given === undefined) return undefined;
    const { file, find, replace } = JSON.parse(given) as PlantedFault;
    // A function, so that a `$` of the replacement stands for itself.
    return path.endsWith(`/${file}`) ? source.replace(find, () => replace) : undefined;
  },
};
