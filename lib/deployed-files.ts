import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { openApiDocument } from './openapi.ts';
import { referencePage } from './reference/page.ts';
import { sharePageScript } from './share-page/build.ts';

/**
 * The files of the API reference, by name: `openapi.json`, and `docs.html`, the reference as one page, with its
 * Content-Security-Policy in `docs.csp`.
 */
export function referenceFiles(): Readonly<Record<'openapi.json' | 'docs.html' | 'docs.csp', string>> {
  const document = openApiDocument({ version: packageJson.version });
  const { html, policy } = referencePage(document);
  return { 'openapi.json': JSON.stringify(document), 'docs.html': html, 'docs.csp': policy };
}

/**
 * Writes the files that are packed with the code of functions: those of the API reference; `share-page.js`, the script of
 * the page that opens shares; `invoice-font.ttf`, for names that the standard fonts of PDF cannot show.
 *
 * @param directory created when absent.
 */
export async function writeDeployedFiles(directory: string): Promise<void> {
  const { resolve } = createRequire(import.meta.url);
  await mkdir(directory, { recursive: true });
  await Promise.all([
    ...Object.entries(referenceFiles()).map(([name, text]) => writeFile(join(directory, name), text)),
    sharePageScript().then((script) => writeFile(join(directory, 'share-page.js'), script)),
    copyFile(resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'), join(directory, 'invoice-font.ttf')),
  ]);
}
