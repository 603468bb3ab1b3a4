import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

/** A script of pages: the options of esbuild in which scripts differ. */
type BrowserScript = Pick<BuildOptions, 'format' | 'target' | 'jsx' | 'jsxImportSource'>;

/**
 * Bundles the script of a page. The same sources give the same bytes.
 *
 * @param entryPoint from the root of the project.
 */
export async function browserScript(entryPoint: string, options: BrowserScript): Promise<string> {
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

/** A script that stands in its page. Its browsers have the `dialog` element and `Array.prototype.at`. */
export const inlineScript: BrowserScript = {
  format: 'iife',
  target: ['chrome99', 'edge99', 'firefox104', 'safari15.4'],
};
