/** The scripts of pages, each bundled into one that imports nothing. The same sources give the same bytes. */
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import type { Origin, PageScript } from '../../reference/site.ts';

/** The options of esbuild in which scripts differ. */
type BrowserScript = Pick<BuildOptions, 'format' | 'target' | 'jsx' | 'jsxImportSource'>;

/** A script that stands in its page. Its browsers have the `dialog` element and `Array.prototype.at`. */
const inlineScript: BrowserScript = {
  format: 'iife',
  target: ['chrome99', 'edge99', 'firefox104', 'safari15.4'],
};

export const consoleScript = (): Promise<string> => browserScript('lib/console-page/main.ts', inlineScript);

/** The script of the share page, a module whose name has the hash of its bytes. Its browsers are those of vouchsafe-client. */
export const sharePageScript = (): Promise<string> =>
  browserScript('lib/share-page/main.tsx', {
    format: 'esm',
    target: ['chrome92', 'edge92', 'firefox95', 'safari15.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });

const referenceEntries: Readonly<Record<Origin, string>> = {
  deployed: 'lib/reference/script/main.ts',
  local: 'lib/reference/script/local.ts',
};

export async function referenceScript(origin: Origin): Promise<PageScript> {
  return { origin, text: await browserScript(referenceEntries[origin], inlineScript) };
}

/** @param entryPoint from the root of the project. */
async function browserScript(entryPoint: string, options: BrowserScript): Promise<string> {
  const { outputFiles } = await build({
    ...options,
    absWorkingDir: join(import.meta.dirname, '../../..'),
    entryPoints: [entryPoint],
    bundle: true,
    minify: true,
    write: false,
    platform: 'browser',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
  const script = outputFiles[0];
  if (script === undefined) throw new Error(`${entryPoint} was not bundled`);
  return script.text;
}
