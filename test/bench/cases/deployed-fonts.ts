import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { invoiceFonts } from '../../../lib/deployment/bundling/invoice-fonts.ts';
import { deployedFiles } from '../../support/samples/deployed-files.ts';

let written: Promise<void> | undefined;

/** Deploys the fonts of invoices beside the files of the pages. Without them a PDF is half as large. */
export async function deployedFonts(): Promise<void> {
  deployedFiles();
  const file = join(process.env.FILES_DIR ?? '', 'invoice-fonts.bin');
  written ??= invoiceFonts().then((fonts) => writeFile(file, fonts));
  await written;
}
