/** Builds the package into `dist`. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { builtFiles, clientFolder, entries } from './package-files.ts';

const dist = join(clientFolder, 'dist');

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
  // Declarations are made of one module at a time.
  declaration: true,
  isolatedDeclarations: true,
  noEmit: true,
};

/** @throws Error with the diagnostics of the compiler */
function checkTypes(): void {
  const files = entries.map((entry) => join(clientFolder, `${entry}.ts`));
  const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram(files, options));
  if (diagnostics.length === 0) return;
  throw new Error(
    ts.formatDiagnostics(diagnostics, {
      getCanonicalFileName: (file) => file,
      getCurrentDirectory: ts.sys.getCurrentDirectory,
      getNewLine: () => '\n',
    }),
  );
}

checkTypes();
const files = await builtFiles();
await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
await Promise.all([...files].map(([name, text]) => writeFile(join(dist, name), text)));
