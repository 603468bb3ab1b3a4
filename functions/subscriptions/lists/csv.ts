/** Lists as CSV: RFC 4180, in UTF-8 without a byte order mark. */
import { stringify } from 'csv-stringify/sync';

export const csvType = 'text/csv; charset=utf-8; header=present';

/** The columns of a list: the name of each, and its value. Undefined is an empty cell. */
export type Columns<R> = Readonly<Record<string, (record: R) => string | number | boolean | undefined>>;

/**
 * The records as CSV, with a header row. Lines end with CRLF (RFC 4180 section 2).
 *
 * A cell that a spreadsheet would take for a formula gets an apostrophe in front: names and references are typed by
 * strangers. https://owasp.org/www-community/attacks/CSV_Injection
 */
export function toCsv<R>(columns: Columns<R>, records: readonly R[]): string {
  const cells = Object.values(columns);
  const rows = records.map((record) => cells.map((cell) => cellText(cell(record))));
  return stringify([Object.keys(columns), ...rows], { record_delimiter: 'windows', escape_formulas: true });
}

/** Ids of applications are opaque, and can have any character. Tabs and line ends are quoted; no other control is shown. */
function cellText(value: string | number | boolean | undefined): string {
  if (value === undefined) return '';
  return String(value).replaceAll(/(?![\t\r\n])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD');
}
