import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from '../../shared/runtime/env.ts';
import { recordProblem } from '../../shared/runtime/log.ts';

/** Granted to the functions that write PDFs. */
const fileName = 'invoice-font.ttf';

/** By path, for the life of the process: the file changes only with a deployment. */
const fonts = new Map<string, string>();

/**
 * The font for characters that Helvetica lacks, its bytes as a Latin-1 string. A missing file is logged and gives
 * undefined: an invoice with question marks is better than none.
 */
export async function invoiceFont(): Promise<string | undefined> {
  try {
    const path = join(env.filesDir(), fileName);
    const font = fonts.get(path) ?? (await readFile(path, 'latin1'));
    fonts.set(path, font);
    return font;
  } catch (error) {
    recordProblem('the font of invoices is missing', error);
    return undefined;
  }
}
