import { stringify } from 'csv-stringify/sync';
import type { ZodMiniType } from 'zod/mini';
import { defined } from '../contract/defined.ts';
import { Reply } from '../contract/route.ts';
import { jsonReply, preferredType } from '../lambda/content-negotiation.ts';
import { decimalsOf } from '../money/money.ts';
import type { ListPage } from './list-page.ts';

export const csvType = 'text/csv; charset=utf-8; header=present';

/** Undefined is an empty cell. A decimal is a number with a fixed number of decimals: `-10.00`. */
type Cell = string | number | boolean | undefined | { readonly decimal: string };

/**
 * The columns of a list: the name of each, and its value. A record has as many rows as the longest list of values: a row has one
 * amount in one currency.
 */
export type Columns<R> = Readonly<Record<string, (record: R) => Cell | readonly Cell[]>>;

/** Columns that have the names of their fields. */
export const cells = <Name extends string>(...names: Name[]): Columns<{ readonly [N in Name]?: Cell }> =>
  Object.fromEntries(names.map((name) => [name, (record) => record[name]]));

/** Columns of decimal amounts that have the names of their fields. */
export const amountCells = <Name extends string>(
  ...names: Name[]
): Columns<{ readonly [N in Name]: number } & { readonly currency: string }> =>
  Object.fromEntries(names.map((name) => [name, (record) => amountCell(record[name], record.currency)]));

/**
 * Where a text would begin a formula: at its beginning and, because a spreadsheet may take semicolons, tabs and line ends inside
 * a quoted cell for separators, after each of them. Spaces and quotation marks may precede it. The end of the text counts too:
 * behind it is the end of the line. https://owasp.org/www-community/attacks/CSV_Injection
 */
const formulaStarts =
  /(?<=(?:^|\r\n|\r(?!\n)|[;\t\n])["\p{Zs}\uFEFF]*)(?=[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]|$)/gu;

/**
 * The records as CSV, with a header row. Lines end with CRLF (RFC 4180 section 2).
 *
 * A text that a spreadsheet would take for a formula gets an apostrophe in front, whether the spreadsheet separates cells by
 * commas, semicolons or tabs: strangers type names and references.
 */
export function toCsv<R>(columns: Columns<R>, records: readonly R[]): string {
  const cells = Object.values(columns);
  const rows = records.flatMap((record) => rowsOf(cells.map((cell) => [cell(record)].flat())));
  return stringify([Object.keys(columns), ...rows], { record_delimiter: 'windows', quoted_match: /[\r\n]/ });
}

/** @param columns the values of each column. One value is that of all rows. */
function rowsOf(columns: readonly (readonly Cell[])[]): string[][] {
  const count = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: count }, (_, at) =>
    columns.map((values) => cellText(values.length === 1 ? values[0] : values[at])),
  );
}

/** Ids of applications are opaque, and can have any character. Tabs and line ends are quoted; no other control is shown. */
function cellText(value: Cell): string {
  if (value === undefined || value === '') return '';
  if (typeof value === 'object') return value.decimal;
  if (typeof value !== 'string') return String(value);
  return value
    .replaceAll(/(?![\t\r\n])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD')
    .replaceAll(formulaStarts, "'");
}

/** A decimal amount for CSV, with all decimals of its currency and a dot: `10.00`. */
export const amountText = (amount: number, currency: string): string => amount.toFixed(decimalsOf(currency));

/** The cell of an amount: a number, also below 0. */
export const amountCell = (amount: number, currency: string) => ({ decimal: amountText(amount, currency) });

interface ListRequest {
  headers: { accept?: string | undefined };
  /** The URL of the API, without a slash at the end. */
  baseUrl: string;
  query: Readonly<Record<string, string | number | undefined>>;
}

/** @param name of the records in the JSON body. */
export function listReply<N extends string, R>(
  { headers, baseUrl, query }: ListRequest,
  { path, response }: { path: string; response: ZodMiniType<Record<N, readonly R[]>> },
  name: N,
  { items, nextCursor }: ListPage<R>,
  columns: Columns<R>,
): Reply {
  if (preferredType(headers.accept, ['application/json', 'text/csv']) === 'application/json')
    return jsonReply(response, { [name]: items, nextCursor });
  const page = { type: csvType, body: toCsv(columns, items) };
  return textReply(`${baseUrl}${path}`, query, page, nextCursor);
}

/** A page in a format other than JSON: `Link` leads to the next one. */
export function textReply(
  address: string,
  query: ListRequest['query'],
  { type, body, fileName }: { type: string; body: string | Uint8Array; fileName?: string | undefined },
  nextCursor: string | undefined,
): Reply {
  const link = nextCursor && nextLink(address, { ...query, cursor: nextCursor });
  const disposition = fileName && `attachment; filename="${fileName}"`;
  const more = defined({ link, 'content-disposition': disposition });
  return new Reply(200, { headers: { 'content-type': type, vary: 'accept', ...more }, body });
}

/** RFC 8288 section 3. */
function nextLink(address: string, query: ListRequest['query']): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) parameters.set(name, String(value));
  return `<${address}?${parameters}>; rel="next"`;
}
