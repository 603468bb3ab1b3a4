import { isObject } from '../../functions/shared/contract/merge-patch.ts';
import { shownAddresses } from '../../functions/shared/html/text.ts';

const maxCellLength = 60;
const minCellLength = 16;
const minValueLength = 20;
const gap = '  ';

/**
 * Formats a response for people: a record as lines, a list of records as a table. A table that is too wide has its texts cut and
 * its least important columns left out; a list of one record is shown whole.
 *
 * Titles and names come from third parties: control characters could move the cursor or reverse the text.
 *
 * @param width of the terminal in characters.
 */
export function readable(body: unknown, width = 80): string {
  return sections(body, width)
    .map(({ title, text }) => (title === '' ? text : `${title}\n${text.replaceAll(/^(?=.)/gm, indent)}`))
    .join('\n\n');
}

export const indent = '  ';

/** JSON with terminal control characters escaped. */
export function printableJson(body: unknown): string {
  return JSON.stringify(body, null, 2).replaceAll(
    new RegExp(`(?!\\n)${unprintable.source}`, 'gu'),
    (character) =>
      Array.from({ length: character.length }, (_, i) => `\\u${hex(character.charCodeAt(i))}`).join(''),
  );
}

/** Characters that could move the cursor or reverse the text. Scripts and emoji need the joiners. */
const unprintable = /(?:(?![\u200C\u200D])\p{C}|[\u2028\u2029])/gu;

/** One line of text with control characters replaced. The host of a web address can be judged. */
export function printable(text: string): string {
  return shownAddresses(text).replaceAll(unprintable, '\uFFFD');
}

const hex = (unit: number) => unit.toString(16).padStart(4, '0');

interface Section {
  title: string;
  text: string;
}

/** @param title empty for the whole. */
function sections(body: unknown, width: number, title = ''): Section[] {
  const inner = title === '' ? width : width - indent.length;
  if (isRecords(body)) return [{ title, text: list(body, inner) }];
  if (!isObject(body)) return [{ title, text: wrapped(value(body), inner).join('\n') }];
  const nested = Object.entries(body).filter(([, one]) => isObject(one) || isRecords(one));
  const plain = Object.entries(body).filter(([, one]) => !isObject(one) && !isRecords(one));
  return [
    ...(plain.length > 0 ? [{ title, text: lines(plain, inner) }] : []),
    ...nested.flatMap(([name, one]) =>
      name === 'settings'
        ? [{ title: label(name), text: printableJson(one) }]
        : sections(one, width, label(name)),
    ),
  ];
}

function isRecords(one: unknown): one is Readonly<Record<string, unknown>>[] {
  return Array.isArray(one) && one.length > 0 && one.every(isObject);
}

const lines = (fields: readonly [string, unknown][], width: number): string =>
  aligned(
    fields.map(([name, one]) => [label(name), value(one)]),
    width,
  );

/** Texts beside their labels, in lines of a width. A label that is longer than the longest stands above its text. */
export function aligned(
  pairs: readonly (readonly [label: string, text: string])[],
  width: number,
  longest = Number.MAX_SAFE_INTEGER,
): string {
  const left = Math.min(longest, Math.max(...pairs.map(([one]) => one.length)));
  const hanging = `\n${' '.repeat(left)}${gap}`;
  return pairs
    .map(([one, text]) => {
      const broken = wrapped(text, Math.max(minValueLength, width - left - gap.length)).join(hanging);
      return one.length > left ? `${one}${hanging}${broken}` : `${one.padEnd(left)}${gap}${broken}`.trimEnd();
    })
    .join('\n');
}

/** A text in lines of a length, broken at blanks where there are any. */
function wrapped(text: string, length: number): string[] {
  const broken: string[] = [];
  let rest = text;
  while (rest.length > length) {
    const blank = rest.lastIndexOf(' ', length);
    const end = blank > 0 ? blank : length;
    broken.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...broken, rest];
}

function list(records: readonly Record<string, unknown>[], width: number): string {
  const flat = records.map((record) => Object.fromEntries(flattened(record)));
  const names = [...new Set(flat.flatMap(Object.keys))];
  const all = names.map((name): Column => {
    const cells = flat.map((record) => cell(name, record[name]));
    const isNested = !records.some((record) => Object.hasOwn(record, name));
    return { name, cells, rank: rankOf(name, cells, { isFirst: names[0] === name, isNested }) };
  });
  const shown = fitting(all, width);
  const left = all
    .filter(({ name }) => !shown.some((one) => one.name === name))
    .map(({ name }) => label(name));
  if (left.length > 0 && (flat.length === 1 || shown.length < 2))
    return flat.map((record) => lines(Object.entries(record), width)).join('\n\n');
  const note =
    left.length === 0
      ? []
      : wrapped(`Hidden columns: ${left.join(', ')}. Use --json to see all fields.`, width);
  return [...table(shown), ...(note.length === 0 ? [] : ['', ...note])].join('\n');
}

interface Column {
  name: string;
  cells: string[];
  /** The lowest is the most important. */
  rank: number;
}

/** Fields that tell records apart, or what they are. */
const telling =
  /^(status|state|kind|type|match|result|action|event|reason|name|title|email|summary|number|amount|total|currency|price|priority|platform|\w*(Number|Status|Amount))$/;

/** Ids of other records and values that are records themselves come last, and a column without a value last of all. */
function rankOf(
  name: string,
  cells: readonly string[],
  { isFirst, isNested }: { isFirst: boolean; isNested: boolean },
): number {
  if (isFirst) return 0;
  if (cells.every((one) => one === '-' || one === 'none')) return 5;
  if (isNested || /id$/i.test(name)) return 4;
  if (telling.test(name)) return 1;
  return cells.some((one) => /^[[{]/.test(one) || one.length > maxCellLength / 2) ? 3 : 2;
}

/**
 * The columns that fit into a width, in their order. Texts are cut to make room for columns that are as important, and get the
 * rest of the line before less important columns do.
 */
function fitting(columns: readonly Column[], width: number): Column[] {
  const sizes = new Map<Column, number>();
  let left = width + gap.length;
  const grow = (column: Column, size: number) => {
    left -= size - (sizes.get(column) ?? 0);
    sizes.set(column, size);
  };
  for (const ranks of [[0, 1, 2], [3], [4], [5]]) {
    const group = columns.filter(({ rank }) => ranks.includes(rank)).toSorted((a, b) => a.rank - b.rank);
    for (const column of group)
      if (leastWidth(column) + gap.length <= left) grow(column, leastWidth(column) + gap.length);
    for (const column of group) {
      const size = sizes.get(column);
      if (size !== undefined)
        grow(column, Math.max(size, Math.min(size + left, widest(column) + gap.length)));
    }
  }
  return columns.flatMap((column) => {
    const length = (sizes.get(column) ?? 0) - gap.length;
    const cells = column.cells.map((one) => cut(one, length));
    return length > 0 ? [Object.assign({}, column, { cells })] : [];
  });
}

/** Ids are whole, so that they can be copied, and times are. */
function leastWidth(column: Column): number {
  const isWhole = /id$/i.test(column.name) || column.cells.some((one) => / UTC$/.test(one));
  const least = isWhole ? widest(column) : Math.min(widest(column), minCellLength);
  return Math.max(label(column.name).length, least);
}

const widest = ({ cells }: Column) => Math.max(...cells.map((one) => one.length));
const cut = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`;

/** The fields of a record, with those of the records in it under both names. */
function flattened(record: Record<string, unknown>): [string, unknown][] {
  return Object.entries(record).flatMap(([name, one]): [string, unknown][] =>
    isObject(one)
      ? Object.entries(one).map(([inner, value]) => [
          `${name}${inner.replace(/^_/, '').replace(/^./, (first) => first.toUpperCase())}`,
          value,
        ])
      : [[name, one]],
  );
}

function table(columns: readonly Column[]): string[] {
  const padded = columns.map(({ name, cells }) => {
    const all = [label(name), ...cells];
    const width = Math.max(...all.map((one) => one.length));
    return all.map((one) => one.padEnd(width));
  });
  const row = (_: string, i: number) => padded.map((column) => column[i] ?? '').join(gap);
  return (padded[0]?.map(row) ?? []).map((one) => one.trimEnd());
}

/** Ids are printed whole. Other values are cut; of a list of records, their number is shown. */
function cell(name: string, one: unknown): string {
  const text = isRecords(one) ? String(one.length) : value(one);
  return /id$/i.test(name) ? text : cut(text, maxCellLength);
}

function value(one: unknown): string {
  if (one === undefined || one === null || one === '') return '-';
  if (typeof one === 'boolean') return one ? 'yes' : 'no';
  if (Array.isArray(one)) return one.length === 0 ? 'none' : one.map(value).join(', ');
  if (typeof one === 'object') return printable(JSON.stringify(one));
  const text = printable(String(one));
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)
    ? `${text.slice(0, 10)} ${text.slice(11, 16)} UTC`
    : text;
}

/** The label of a field: `Redirect URIs` for `redirectUris`. */
function label(name: string): string {
  const words = printable(name)
    .replace(/^_/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(
      /\b(api|id|uri|url)(s?)\b/g,
      (_, word: string, plural: string) => word.toUpperCase() + plural,
    );
  return words.charAt(0).toUpperCase() + words.slice(1);
}
