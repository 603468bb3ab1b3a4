import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Bundles of some files of the AWS SDK only the part that functions use. */
export const functionSources: Plugin = {
  name: 'function-sources',
  setup: ({ onLoad }) => {
    // The clients of the SDK read their version from it, and bundle all of it.
    onLoad({ filter: /\/@aws-sdk\/[^/]+\/package\.json$/ }, async ({ path }) => {
      const { name, version } = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ name, version }), loader: 'json' };
    });
    // The partition of a region follows from the pattern of its name. The list adds a description of each region, and names
    // that are no region, such as `aws-global`.
    onLoad({ filter: /\/util-endpoints\/lib\/aws\/partitions\.js$/ }, async ({ path }) => {
      const [declaration = '', json = ''] = (await readFile(path, 'utf8')).split(/(?<=partitionsInfo = )/);
      const { partitions } = JSON.parse(json.replace(/;\s*$/, ''));
      const shortened = partitions.map((partition: object) => Object.assign(partition, { regions: {} }));
      return { contents: `${declaration}${JSON.stringify({ partitions: shortened })}`, loader: 'js' };
    });
    // The functions tell errors of these services by their names, and an error that is not registered has its name, too. The classes
    // of all errors are 11 KB.
    onLoad(
      { filter: /\/client-(sfn|secrets-manager)\/dist-es\/schemas\/schemas_0\.js$/ },
      async ({ path }) => {
        const schemas = await readFile(path, 'utf8');
        return { contents: schemas.replaceAll(/^n0_registry\.registerError\(.*$/gm, ''), loader: 'js' };
      },
    );
  },
};
