/** Bundles the script of the share page. */
import { join } from 'node:path';
import { build } from 'esbuild';

/** The browsers of vouchsafe-client: it does the work of the page. */
const browsers = ['chrome92', 'edge92', 'firefox95', 'safari15.4'];

/**
 * The script of the share page as one module that imports nothing. The same sources give the same bytes, so the name that
 * has their hash changes only with them.
 */
export async function sharePageScript(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: join(import.meta.dirname, '../..'),
    entryPoints: ['lib/share-page/main.tsx'],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: browsers,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
  const script = outputFiles[0];
  if (script === undefined) throw new Error('The script of the share page was not bundled');
  return script.text;
}
