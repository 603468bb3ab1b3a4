/** Bundles the script of the pages. */
import { join } from 'node:path';
import { build } from 'esbuild';

/** Where pages are served from. Those of a local stack are filled with its demo data, and send their examples to it. */
export type Origin = 'deployed' | 'local';

/** The script of the pages of an origin. */
export interface PageScript {
  readonly origin: Origin;
  readonly text: string;
}

const entryPoints: Readonly<Record<Origin, string>> = {
  deployed: 'lib/reference/script/main.ts',
  local: 'lib/reference/script/local.ts',
};

const browsers = ['chrome99', 'edge99', 'firefox104', 'safari15.4'];

/** Bundles the script of an origin. The same sources give the same bytes. */
export async function pageScript(origin: Origin): Promise<PageScript> {
  const { outputFiles } = await build({
    absWorkingDir: join(import.meta.dirname, '../../..'),
    entryPoints: [entryPoints[origin]],
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
  if (script === undefined) throw new Error('The script of the reference was not bundled');
  return { origin, text: script.text };
}
