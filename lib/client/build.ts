/**
 * Builds the package into `dist`: an ES module for browsers and Node.js for each entry, its declarations, and the program.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import ts from 'typescript';

/** Each is a module that imports nothing: who uses shares only loads nothing of the vault. */
const entries = ['index', 'share', 'vault'];
const dist = join(import.meta.dirname, 'dist');

/** With the declarations of browsers and without those of Node.js: only what both have compiles. */
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  types: [],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  declaration: true,
  emitDeclarationOnly: true,
};

/**
 * The declarations of all modules, by their files.
 *
 * @throws Error with the diagnostics of the compiler
 */
function emitted(): ReadonlyMap<string, string> {
  const files = entries.map((entry) => join(import.meta.dirname, `${entry}.ts`));
  const program = ts.createProgram(files, options);
  const texts = new Map<string, string>();
  const { diagnostics } = program.emit(undefined, (file, text) => texts.set(file, text));
  const allDiagnostics = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (allDiagnostics.length > 0) {
    throw new Error(
      ts.formatDiagnostics(allDiagnostics, {
        getCanonicalFileName: (file) => file,
        getCurrentDirectory: ts.sys.getCurrentDirectory,
        getNewLine: () => '\n',
      }),
    );
  }
  return texts;
}

/** The declarations of the modules that an entry exports, in its order, as one text. It includes the imported types. */
function declarations(entry: string, texts: ReadonlyMap<string, string>): string {
  const text = (file: string) => texts.get(join(import.meta.dirname, file).replaceAll('\\', '/')) ?? '';
  const modules = [...text(`${entry}.d.ts`).matchAll(/^export \* from '\.\/(.+)\.ts';$/gm)];
  return modules
    .map(([, name]) => text(`${name}.d.ts`))
    .join('\n')
    .replace(/^(import .+|export \{\});\n/gm, '');
}

// One compiler run reads the declarations of browsers once for all entries.
const texts = emitted();
await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
await Promise.all([
  build({
    entryPoints: entries.map((entry) => join(import.meta.dirname, `${entry}.ts`)),
    outdir: dist,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    // The first versions with crypto.randomUUID; Node.js 20 is newer than all of them.
    target: ['chrome92', 'edge92', 'firefox95', 'safari15.4'],
    charset: 'utf8',
    logLevel: 'warning',
  }),
  build({
    entryPoints: { cli: join(import.meta.dirname, 'cli/main.ts') },
    outdir: dist,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: { js: '#!/usr/bin/env node' },
    charset: 'utf8',
    logLevel: 'warning',
  }),
  ...entries.map((entry) => writeFile(join(dist, `${entry}.d.ts`), declarations(entry, texts))),
]);
