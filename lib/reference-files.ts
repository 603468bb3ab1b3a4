import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { openApiDocument } from './openapi.ts';
import { referencePage } from './reference/page.ts';

/**
 * Writes the files that are packed with the code of functions: `openapi.json`; `docs.html`, the API reference as one
 * page, with its Content-Security-Policy in `docs.csp`; and `invoice-font.ttf`, for names that the standard fonts of PDF
 * cannot show.
 *
 * @param directory created when absent.
 */
export async function writeReferenceFiles(directory: string): Promise<void> {
  const document = openApiDocument({ version: packageJson.version });
  const { html, policy } = referencePage(document);
  const { resolve } = createRequire(import.meta.url);
  await mkdir(directory, { recursive: true });
  await Promise.all([
    writeFile(join(directory, 'openapi.json'), JSON.stringify(document)),
    writeFile(join(directory, 'docs.html'), html),
    writeFile(join(directory, 'docs.csp'), policy),
    copyFile(resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'), join(directory, 'invoice-font.ttf')),
  ]);
}
