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
    const fault = JSON.parse(given) as PlantedFault;
    return path.endsWith(`/${fault.file}`) ? planted(fault, source) : undefined;
  },
};

/** A source with the fault. The replacement is a function, so that a `$` in it stands for itself. */
export const planted = ({ find, replace }: PlantedFault, source: string): string =>
  source.replace(find, () => replace);
