import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../corpus');

/**
 * The rows of a table of `test/corpus`, below its header. Cells are separated by tabs and verbatim, except that `\u{202E}`
 * is a character by its number.
 */
export function corpusRows(file: string): string[][] {
  const [, ...lines] = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n');
  return lines.map((line) => line.split('\t').map(unescaped));
}

const unescaped = (cell: string) =>
  cell.replaceAll(/\\u\{([0-9A-F]+)\}/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
