import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import ts from 'typescript';

/**
 * Marks each value of a module as one without side effects, so that a function is bundled with those that it uses. One module has the
 * contracts of a whole service, and esbuild cannot know that a method such as `check` of a schema changes nothing.
 * https://esbuild.github.io/api/#ignore-annotations
 */
function withoutSideEffects(source: string): string {
  const { statements } = ts.createSourceFile('module.ts', source, ts.ScriptTarget.Latest);
  const values = statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .map(({ initializer }) => initializer)
    .filter((value): value is ts.Expression => value !== undefined && !ts.isFunctionLike(value));
  return values.reduceRight(
    (text, { pos, end }) =>
      `${text.slice(0, pos)} /* @__PURE__ */ (() => (${text.slice(pos, end)}))()${text.slice(end)}`,
    source,
  );
}

/** Bundles only the part that a function uses, of modules of the project, of some packages and of files of the AWS SDK. */
export const functionSources: Plugin = {
  name: 'function-sources',
  setup: ({ onLoad, onResolve, resolve }) => {
    onLoad({ filter: /\/functions\/.*\.ts$/ }, async ({ path }) => ({
      contents: withoutSideEffects(await readFile(path, 'utf8')),
      loader: 'ts',
    }));
    // CommonJS, which esbuild keeps where it is imported, used or not.
    onResolve({ filter: /^ipaddr\.js$/ }, async ({ path, pluginData, ...options }) => {
      if (pluginData === functionSources) return undefined;
      return { ...(await resolve(path, { ...options, pluginData: functionSources })), sideEffects: false };
    });
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
