import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { servedPackage } from '../../client/package/served-package.ts';
import { openApiDocument } from '../../openapi/openapi.ts';
import { withSharedParts } from '../../openapi/shared-parts.ts';
import { type Guide, guidesName } from '../../reference/guides.ts';
import { referencePages } from '../../reference/pages.ts';
import type { Origin } from '../../reference/site.ts';
import { invoiceFonts } from './invoice-fonts.ts';
import { consoleScript, referenceScript, sharePageScript } from './page-scripts.ts';

/**
 * The files of the API reference, by name: `openapi.json`; `docs.html`, the first page of the reference; `docs.json`, its
 * other pages by name; `docs.csp`, the Content-Security-Policy of all pages.
 */
export async function referenceFiles(origin: Origin = 'deployed') {
  const document = openApiDocument({ version: packageJson.version });
  const { start, pages, policy } = referencePages(document, await guides(), await referenceScript(origin));
  return {
    'openapi.json': JSON.stringify(withSharedParts(document)),
    'docs.html': start,
    'docs.json': JSON.stringify(pages),
    'docs.csp': policy,
  } as const;
}

const guidesFolder = join(import.meta.dirname, '../../../docs/guides');

async function guides(): Promise<Guide[]> {
  const files = (await readdir(guidesFolder)).filter((file) => file.endsWith('.md')).sort();
  return Promise.all(
    files.map(async (file) => ({
      name: file === 'README.md' ? guidesName : basename(file, '.md'),
      text: await readFile(join(guidesFolder, file), 'utf8'),
    })),
  );
}

/**
 * Writes the files that are packed with the code of functions: those of the API reference; `share-page.js`, the script of
 * the page that opens shares; `console.js`, that of the console; `vouchsafe-client.tar`, the package for clients, and `vouchsafe-client.json`, its name and hash;
 * `invoice-fonts.bin`, the fonts of invoices.
 *
 * @param directory created when absent.
 * @param origin of the pages.
 */
export async function writeDeployedFiles(directory: string, origin: Origin = 'deployed'): Promise<void> {
  await mkdir(directory, { recursive: true });
  await Promise.all([
    referenceFiles(origin).then((files) =>
      Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(directory, name), text))),
    ),
    sharePageScript().then((script) => writeFile(join(directory, 'share-page.js'), script)),
    consoleScript().then((script) => writeFile(join(directory, 'console.js'), script)),
    servedPackage().then(async ({ archive, ...description }) => {
      await writeFile(join(directory, 'vouchsafe-client.tar'), archive);
      await writeFile(join(directory, 'vouchsafe-client.json'), JSON.stringify(description));
    }),
    invoiceFonts().then((fonts) => writeFile(join(directory, 'invoice-fonts.bin'), fonts)),
  ]);
}
