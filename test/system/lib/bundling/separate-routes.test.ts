import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { withoutDeclarations } from '../../../../lib/bundling/function-sources.ts';
import { withSeparateRoutes } from '../../../../lib/bundling/separate-routes.ts';

const sources: Record<string, string> = {
  'handler.ts': `import { routes } from './routes.ts';
export const handler = () => routes['show-one'];
export const path = () => routes.list.path;
export type Unused = typeof routes.remove;
`,
  'routes.ts': `import * as z from 'zod/mini';
import { defineRoutes } from './define.ts';
import { otherRoutes } from './other-routes.ts';
const common = { method: 'GET' } as const;
const shared = { ...common, limit: 1 } as const;
const Shown = z.object({ shown: z.string() });
const Removed = z.object({ removed: z.string() });
export const routes = defineRoutes({
  'show-one': { ...shared, path: '/show', response: Shown },
  // A comment between two routes.
  remove: {
    ...shared,
    path: '/remove',
    response: z.optional(Removed),
  },
  ...otherRoutes,
});
export const names = Object.keys(routes);
`,
  'other-routes.ts': `import { defineRoutes } from './define.ts';
export const otherRoutes = defineRoutes({ list: { path: '/list' }, spare: { path: '/spare' } });
`,
  'define.ts': 'export const defineRoutes = (routes) => routes;\n',
};

async function bundled(entry: string, minify: boolean): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify,
    format: 'cjs',
    external: ['zod/mini'],
    plugins: [
      {
        name: 'sources',
        setup: ({ onResolve, onLoad }) => {
          onResolve({ filter: /\.ts$/ }, ({ path }) => ({
            path: path.replace('./', ''),
            namespace: 'sources',
          }));
          onLoad({ filter: /./, namespace: 'sources' }, ({ path }) => ({
            contents: withSeparateRoutes(sources[path] ?? ''),
            loader: 'ts',
          }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}

/** Runs a bundle with schemas that are lists of what they were called with. */
function exportsOf(code: string): Record<string, unknown> {
  const schemas = {
    object: (shape: object) => shape,
    string: () => 'string',
    optional: (of: object) => ({ of }),
  };
  const module = { exports: {} as Record<string, unknown> };
  new Function('module', 'require', code)(module, () => schemas);
  return module.exports;
}

test('a handler has its own routes, with what they refer to, and no others', async () => {
  const code = await bundled('handler.ts', true);
  expect(code).toContain('/show');
  expect(code).toContain('/list');
  expect(code).not.toMatch(/remove|spare/);
  const { handler, path } = exportsOf(code) as Record<string, () => unknown>;
  expect(handler?.()).toEqual({ method: 'GET', limit: 1, path: '/show', response: { shown: 'string' } });
  expect(path?.()).toBe('/list');
});

test('the transition table of a function has no list of what an effect may change', () => {
  const table =
    "const rows = [\n  { sets: ['a'], to: 'b' },\n  { from: 'c', sets: [...d, 'e'] },\n  { ...row, sets: f, to: 'g' },\n];\n";
  const built = withoutDeclarations(table);
  expect(built).not.toContain('sets');
  const rows = new Function('row', `${built} return rows;`)({ from: 'h' });
  expect(rows).toEqual([{ to: 'b' }, { from: 'c' }, { from: 'h', to: 'g' }]);
});
