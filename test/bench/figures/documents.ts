import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { costTables } from '../cost/cost-tables.ts';
import { securityTables } from '../cost/security-tables.ts';
import { scaleTables } from '../scale/scale-tables.ts';
import { countFigures } from './count.ts';
import { type Figures, figuresFile, readFigures } from './figures.ts';
import type { Table } from './table.ts';

const root = join(import.meta.dirname, '../../..');

/** The documents that quote the figures, with the tables of each by name. */
export const documents: Readonly<Record<string, (figures: Figures) => Readonly<Record<string, Table>>>> = {
  'docs/scale.md': scaleTables,
  'docs/cost.md': costTables,
  'docs/security-costs.md': securityTables,
};

/** Counts the figures, stores them, and writes the tables into the documents. Nothing is written of a sample. */
export async function writeDocuments(isSample: boolean): Promise<void> {
  const figures = await countFigures(isSample);
  if (isSample) return;
  writeFileSync(figuresFile, inLines(figures));
  for (const [file, tablesOf] of Object.entries(documents)) {
    const path = join(root, file);
    writeFileSync(path, withTables(readFileSync(path, 'utf8'), tablesOf(readFigures())));
    process.stdout.write(`${file} is written\n`);
  }
}

/** Figures as JSON, a request or a year in a line. */
function inLines(figures: Figures): string {
  const parts = Object.entries(figures).map(([name, value]) =>
    Array.isArray(value)
      ? `"${name}": [\n${value.map((one) => JSON.stringify(one)).join(',\n')}\n]`
      : `"${name}": ${JSON.stringify(value)}`,
  );
  return `{\n${parts.join(',\n')}\n}\n`;
}

/**
 * A document with its tables replaced: what is between `<!-- bench: name -->` and `<!-- end of bench -->`.
 *
 * @throws when the document lacks a table, or names one that does not exist.
 */
export function withTables(text: string, tables: Readonly<Record<string, Table>>): string {
  const shown = new Set<string>();
  const written = text.replaceAll(
    /(<!-- bench: ([\w-]+) -->\n)[\s\S]*?(\n<!-- end of bench -->)/g,
    (_, start: string, name: string, end: string) => {
      const table = tables[name];
      if (table === undefined) throw new Error(`There is no table ${name}`);
      shown.add(name);
      return `${start}\n${markdown(table)}\n${end}`;
    },
  );
  const missing = Object.keys(tables).filter((name) => !shown.has(name));
  if (missing.length > 0) throw new Error(`The document has no place for ${missing.join(', ')}`);
  return written;
}

function markdown({ columns, rows }: Table): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const numeric = columns.map((_, i) => rows.every((row) => /^[<~]?[\d,.]+$/.test(String(row[i]))));
  return [line(columns), `|${numeric.map((is) => (is ? '---:' : '---')).join('|')}|`, ...rows.map(line)].join(
    '\n',
  );
}
