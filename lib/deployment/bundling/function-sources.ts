import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Bundles of each package of the AWS SDK only its name and version, not all of its package.json. */
export const functionSources: Plugin = {
  name: 'function-sources',
  setup: ({ onLoad }) => {
    // The clients of the SDK read their version from it, and bundle all of it.
    onLoad({ filter: /\/@aws-sdk\/[^/]+\/package\.json$/ }, async ({ path }) => {
      const { name, version } = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ name, version }), loader: 'json' };
    });
  },
};
