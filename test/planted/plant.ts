/** Plants the fault that the environment names into its module, whenever Vitest loads it. */

import type { VitestPluginContext } from 'vitest/node';
import type { PlantedFault } from './fault.ts';

/** The variable with a {@link PlantedFault} as JSON. */
export const plantedFault = 'PLANTED_FAULT';

export const plant = {
  name: 'plant',
  enforce: 'pre' as const,
  transform: (source: string, path: string): string | undefined => {
    const fault = given();
    return fault !== undefined && isOf(fault, path) ? planted(fault, source) : undefined;
  },
  /** A module with a fault must not come from the cache of transformed modules, nor go there. */
  configureVitest: ({ defineCacheKeyGenerator }: VitestPluginContext): void => {
    const fault = given();
    if (fault !== undefined) defineCacheKeyGenerator(({ id }) => (isOf(fault, id) ? false : undefined));
  },
};

function given(): PlantedFault | undefined {
  const text = process.env[plantedFault];
  return text === undefined ? undefined : JSON.parse(text);
}

const isOf = ({ file }: PlantedFault, path: string): boolean => path.endsWith(`/${file}`);

/** A source with the fault. The replacement is a function, so that a `$` in it stands for itself. */
export const planted = ({ find, replace }: PlantedFault, source: string): string =>
  source.replace(find, () => replace);
