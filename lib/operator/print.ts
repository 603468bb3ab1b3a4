const maxCellLength = 60;
const minValueLength = 20;
const gap = '  ';

/**
 * Formats a response for people: a record as lines, a list of records as a table, or where the table is too wide, as
 * lines record by record.
 *
 * Titles and names come from third parties: control characters could move the cursor or reverse the text.
 *
 * @param width of the terminal in characters.
 */
export function readable(body: unknown, width = 80): string {
  return sections(body, width)
    .map(({ title, text }) =>
      title === undefined ? text : `${title}\n${text.replaceAll(/^(?=.)/gm, indent)}`,
    )
    .join('\n\n');
}

const indent = '  ';

/** JSON with terminal control characters escaped. */
export function printableJson(body: unknown): string {
  return JSON.stringify(body, null, 2).replaceAll(/[^\P{C}\n]|[\u2028\u2029]/gu, (character) =>
    Array.from({ length: character.length }, (_, i) => `\\u${hex(character.charCodeAt(i))}`).join(''),
  );
}

/** One line of text with control characters replaced. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{C}\u2028\u2029]/gu, '\uFFFD');
}

const hex = (unit: number) => unit.toString(16).padStart(4, '0');

interface Section {
  title?: string;
  text: string;
}

function sections(body: unknown, width: number, title?: string): Section[] {
  const named = title === undefined ? {} : { title };
  const inner = title === undefined ? width : width - indent.length;
  if (isRecords(body)) return [{ ...named, text: list(body, inner) }];
  if (!isRecord(body)) return [{ ...named, text: wrapped(value(body), inner).join('\n') }];
  const nested = Object.entries(body).filter(([, one]) => isRecord(one) || isRecords(one));
  const plain = Object.entries(body).filter(([, one]) => !isRecord(one) && !isRecords(one));
  return [
    ...(plain.length > 0 ? [{ ...named, text: lines(plain, inner) }] : []),
    ...nested.flatMap(([name, one]) =>
      name === 'settings'
        ? [{ title: label(name), text: printableJson(one) }]
        : sections(one, width, label(name)),
    ),
  ];
}

function isRecord(one: unknown): one is Record<string, unknown> {
  return typeof one === 'object' && one !== null && !Array.isArray(one);
}

function isRecords(one: unknown): one is Record<string, unknown>[] {
  return Array.isArray(one) && one.length > 0 && one.every(isRecord);
}

function lines(fields: readonly [string, unknown][], width: number): string {
  const labels = Math.max(...fields.map(([name]) => label(name).length));
  const values = Math.max(minValueLength, width - labels - gap.length);
  return fields
    .map(([name, one]) => {
      const [first = '', ...more] = wrapped(value(one), values);
      const hanging = more.map((line) => `\n${' '.repeat(labels)}${gap}${line}`).join('');
      return `${label(name).padEnd(labels)}${gap}${first}${hanging}`;
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
  const asTable = table(flat);
  if (Math.max(...asTable.split('\n').map((line) => line.length)) <= width) return asTable;
  return flat.map((record) => lines(Object.entries(record), width)).join('\n\n');
}

/** The fields of a record, with those of the records in it under both names. */
function flattened(record: Record<string, unknown>): [string, unknown][] {
  return Object.entries(record).flatMap(([name, one]): [string, unknown][] =>
    isRecord(one)
      ? Object.entries(one).map(([inner, value]) => [
          `${name}${inner.charAt(0).toUpperCase()}${inner.slice(1)}`,
          value,
        ])
      : [[name, one]],
  );
}

function table(records: readonly Record<string, unknown>[]): string {
  const names = [...new Set(records.flatMap(Object.keys))];
  const rows = [names.map(label), ...records.map((record) => names.map((name) => cell(name, record[name])))];
  const widths = names.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((one, column) => one.padEnd(widths[column] ?? 0))
        .join(gap)
        .trimEnd(),
    )
    .join('\n');
}

/** Ids are printed whole, so that they can be copied. Other values are cut. */
function cell(name: string, one: unknown): string {
  const text = value(one);
  return text.length <= maxCellLength || /id$/i.test(name) ? text : `${text.slice(0, maxCellLength - 1)}…`;
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
