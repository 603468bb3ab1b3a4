/** The files of the package that are built: an ES module for browsers and Node.js for each entry, its declarations, and the program. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

/** The folder of the client: its entries, and the texts of the package. */
export const clientFolder: string = join(import.meta.dirname, '..');

/** Each is a module that imports nothing: who uses shares only loads nothing of the vault. */
const entries = ['index', 'share', 'vault', 'api', 'webhook'];

const bundling = {
  // Paths in comments are relative to it, so that the same sources give the same bytes wherever they are.
  absWorkingDir: clientFolder,
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  charset: 'utf8',
  logLevel: 'warning',
  write: false,
} as const satisfies BuildOptions;

/** The contents of the built files by name, such as `index.js`. */
export async function builtFiles(): Promise<ReadonlyMap<string, string>> {
  const bundles = await Promise.all([
    build({
      ...bundling,
      entryPoints: entries.map((entry) => `${entry}.ts`),
      platform: 'browser',
      // The first versions with crypto.randomUUID; Node.js 20 is newer than all of them.
      target: ['chrome92', 'edge92', 'firefox95', 'safari15.4'],
    }),
    build({
      ...bundling,
      entryPoints: { cli: 'cli/main.ts' },
      platform: 'node',
      target: 'node20',
      banner: { js: '#!/usr/bin/env node' },
    }),
  ]);
  const modules = bundles.flatMap(({ outputFiles }) => outputFiles);
  const declared = await Promise.all(
    entries.map(async (entry) => [`${entry}.d.ts`, await declarations(entry)] as const),
  );
  const schema = await readFile(join(clientFolder, 'api/schema.ts'), 'utf8');
  const named = modules.map(
    ({ path, text }) => [path.slice(join(clientFolder, 'dist/').length), text] as const,
  );
  return new Map([...named, ...declared, ['schema.d.ts', schema]]);
}

/**
 * The declarations of the modules that an entry exports, in its order, as one text. It includes the imported types, but for those
 * of the OpenAPI document, which are a file of their own.
 */
async function declarations(entry: string): Promise<string> {
  // Loaded here: whoever only starts the local stack waits for it no longer than for the package.
  const { default: ts } = await import('typescript');
  const source = (name: string) => readFile(join(clientFolder, `${name}.ts`), 'utf8');
  const modules = [...(await source(entry)).matchAll(/^export \* from '\.\/(.+)\.ts';$/gm)];
  const texts = await Promise.all(
    modules.map(async ([, name = '']) => {
      const compilerOptions = {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        isolatedDeclarations: true,
      };
      const { outputText, diagnostics = [] } = ts.transpileDeclaration(await source(name), {
        compilerOptions,
        reportDiagnostics: true,
      });
      const [first] = diagnostics;
      if (first !== undefined)
        throw new Error(`${name}.ts: ${ts.flattenDiagnosticMessageText(first.messageText, '\n')}`);
      return outputText;
    }),
  );
  return texts
    .join('\n')
    .replace(/(?<=^import .+ from ').+\/schema\.ts(?=';$)/gm, './schema.js')
    .replace(/^(import (?!.+\.\/schema\.js').+|export \{\});\n/gm, '');
}
