/** Bundles the script of the pages. */
import { join } from 'node:path';
import { build } from 'esbuild';

/** A script, and what it may connect to. */
export interface PageScript {
  readonly text: string;
  /** A source of the Content-Security-Policy; undefined for nothing. */
  readonly connectsTo?: string;
}

const browsers = ['chrome99', 'edge99', 'firefox104', 'safari15.4'];

/**
 * The script of the pages: that of a deployment, which connects to nothing, or that of a local stack, which fills in the
 * examples and sends them. The same sources give the same bytes.
 */
export async function pageScript(where: 'deployed' | 'local'): Promise<PageScript> {
  const { outputFiles } = await build({
    absWorkingDir: join(import.meta.dirname, '../../..'),
    entryPoints: [`lib/reference/script/${where === 'local' ? 'local' : 'main'}.ts`],
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
  return where === 'local' ? { text: script.text, connectsTo: "'self'" } : { text: script.text };
}
