import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { servedPackage } from '../../client/served-package.ts';
import { openApiDocument } from '../../openapi/openapi.ts';
import { withSharedParts } from '../../openapi/shared-parts.ts';
import { referencePage } from '../../reference/page.ts';
import { sharePageScript } from '../../share-page/build.ts';
import { invoiceFonts } from './invoice-fonts.ts';

/**
 * The files of the API reference, by name: `openapi.json`, and `docs.html`, the reference as one page, with its
 * Content-Security-Policy in `docs.csp`.
 */
export function referenceFiles(): Readonly<Record<'openapi.json' | 'docs.html' | 'docs.csp', string>> {
  const document = openApiDocument({ version: packageJson.version });
  const { html, policy } = referencePage(document);
  return { 'openapi.json': JSON.stringify(withSharedParts(document)), 'docs.html': html, 'docs.csp': policy };
}

/**
 * Writes the files that are packed with the code of functions: those of the API reference; `share-page.js`, the script of
 * the page that opens shares; `vouchsafe-client.tar`, the package for clients, and `vouchsafe-client.json`, its name and hash;
 * `invoice-fonts.bin`, the fonts of invoices.
 *
 * @param directory created when absent.
 */
export async function writeDeployedFiles(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await Promise.all([
    ...Object.entries(referenceFiles()).map(([name, text]) => writeFile(join(directory, name), text)),
    sharePageScript().then((script) => writeFile(join(directory, 'share-page.js'), script)),
    servedPackage().then(async ({ archive, ...description }) => {
      await writeFile(join(directory, 'vouchsafe-client.tar'), archive);
      await writeFile(join(directory, 'vouchsafe-client.json'), JSON.stringify(description));
    }),
    invoiceFonts().then((fonts) => writeFile(join(directory, 'invoice-fonts.bin'), fonts)),
  ]);
}
