import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from '../../shared/runtime/env.ts';
import { recordProblem } from '../../shared/runtime/log.ts';

/** Granted to the functions that make PDFs. */
const fileName = 'invoice-font.ttf';

/** By path, as long as the process lives: the file changes with a deployment only. */
const fonts = new Map<string, string>();

/**
 * The font for what Helvetica cannot show, its bytes as a string of Latin-1. Undefined, and a warning in the log, when
 * it is not there: an invoice with question marks is better than none.
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
