/** Bundles the script of the console. */
import { join } from 'node:path';
import { build } from 'esbuild';

/** The browsers of the API reference. */
const browsers = ['chrome99', 'edge99', 'firefox104', 'safari15.4'];

/** The script of the console, which stands in its pages. The same sources give the same bytes. */
export async function consoleScript(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: join(import.meta.dirname, '../..'),
    entryPoints: ['lib/console-page/main.ts'],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: browsers,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
  const script = outputFiles[0];
  if (script === undefined) throw new Error('The script of the console was not bundled');
  return script.text;
}
