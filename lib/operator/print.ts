const maxCellLength = 60;

/**
 * Formats a response for people: a record as lines, a list of records as a table.
 *
 * Titles and names come from third parties: control characters could move the cursor or reverse the text.
 */
export function readable(body: unknown): string {
  return sections(body)
    .map(({ title, text }) => (title === undefined ? text : `${title}\n${text.replaceAll(/^/gm, '  ')}`))
    .join('\n\n');
}

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

function sections(body: unknown, title?: string): Section[] {
  const named = title === undefined ? {} : { title };
  if (isRecords(body)) return [{ ...named, text: table(body) }];
  if (!isRecord(body)) return [{ ...named, text: value(body) }];
  const nested = Object.entries(body).filter(([, one]) => isRecord(one) || isRecords(one));
  const plain = Object.entries(body).filter(([, one]) => !isRecord(one) && !isRecords(one));
  return [
    ...(plain.length > 0 ? [{ ...named, text: lines(plain) }] : []),
    ...nested.flatMap(([name, one]) =>
      name === 'settings' ? [{ title: label(name), text: printableJson(one) }] : sections(one, label(name)),
    ),
  ];
}

function isRecord(one: unknown): one is Record<string, unknown> {
  return typeof one === 'object' && one !== null && !Array.isArray(one);
}

function isRecords(one: unknown): one is Record<string, unknown>[] {
  return Array.isArray(one) && one.length > 0 && one.every(isRecord);
}

function lines(fields: readonly [string, unknown][]): string {
  const width = Math.max(...fields.map(([name]) => label(name).length));
  return fields.map(([name, one]) => `${label(name).padEnd(width)}  ${value(one)}`).join('\n');
}

function table(records: readonly Record<string, unknown>[]): string {
  const names = [...new Set(records.flatMap(Object.keys))];
  const rows = [names.map(label), ...records.map((record) => names.map((name) => cell(name, record[name])))];
  const widths = names.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((one, column) => one.padEnd(widths[column] ?? 0))
        .join('  ')
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
  const words = name
    .replace(/^_/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(
      /\b(api|id|uri|url)(s?)\b/g,
      (_, word: string, plural: string) => word.toUpperCase() + plural,
    );
  return words.charAt(0).toUpperCase() + words.slice(1);
}
