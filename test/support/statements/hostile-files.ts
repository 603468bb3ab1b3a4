import type { CsvMapping } from '../../../functions/statements/import/file/csv.ts';
import { camt, entryXml } from './bank-files.ts';

/** A text as often as it fits a part of a file of 24 MB. */
const filled = (text: string, part = 1) => text.repeat(Math.floor((part * 23 * 1024 * 1024) / text.length));
const nested = (depth: number) => `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`;
const numbered = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n)).join('');
const withText = (text: string) => entryXml({ amount: '1.00', text });
/** A batch of as many transactions as a statement may have, and what it states of all of them. */
const batch = (stated: string) =>
  `<Ntry><Amt Ccy="EUR">100.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><ValDt><Dt>2026-11-20</Dt></ValDt>${stated}<NtryDtls>${'<TxDtls><Amt Ccy="EUR">0.01</Amt></TxDtls>'.repeat(10_000)}</NtryDtls></Ntry>`;
const header = 'date;amount;reference';
const line = '2026-11-20;1.00;x';

const markup = /^must have at most 1000000 elements and attributes/;
const depth = /^must nest elements at most 40 deep$/;
const text = /^must have no text of more than 100000 characters$/;
const tag = /^must have no tag of more than 100000 characters$/;
const malformed = /^is not well-formed XML$/;
const entries = /^must have at most 10000 entries/;
const cells = /^must have at most 1000000 cells and lines/;
const longLine = /^must have no line of more than 100000 characters$/;
/** Within the bounds: a parser reads it, for as long as an honest file of 10,000 entries. */
const parsed = undefined;

/** `enough` is the part of the content, at most 1, with which a test shows the same as with the whole. */
type Row = readonly [
  of: string,
  refusal: RegExp | undefined,
  enough: number,
  content: (part: number) => string,
];

/** The contents of the statement. */
const xml: readonly Row[] = [
  ['elements', markup, 0.2, (part) => filled('<a/>', part)],
  ['elements of one entry', markup, 0.2, (part) => `<Ntry>${filled('<a/>', part)}</Ntry>`],
  ['empty entries', markup, 0.35, (part) => filled('<Ntry/>', part)],
  [
    'transactions of one entry',
    entries,
    0.05,
    (part) =>
      `<Ntry><Amt Ccy="EUR">240000</Amt><NtryDtls>${'<TxDtls><Amt Ccy="EUR">1</Amt></TxDtls>'.repeat(240_000 * part)}</NtryDtls></Ntry>`,
  ],
  ['entries', parsed, 0.02, (part) => numbered(10_000 * part, (n) => withText(`Rechnung ${n}`))],
  ['elements of a batch', parsed, 0.02, (part) => batch('<RvslInd/>'.repeat(900_000 * part))],
  [
    'words of a batch',
    parsed,
    0.1,
    (part) => batch(`<AddtlNtryInf>${'x '.repeat(50_000 * part)}</AddtlNtryInf>`),
  ],
  [
    'an id of a batch',
    parsed,
    0.1,
    (part) => batch(`<AcctSvcrRef>${'x'.repeat(100_000 * part)}</AcctSvcrRef>`),
  ],
  [
    'attributes of one element',
    tag,
    0.02,
    (part) => `<a ${numbered(1_700_000 * part, (n) => ` a${n}=""`)}/>`,
  ],
  ['attributes of many elements', markup, 0.25, (part) => filled('<a b="" c="" d=""/>', part)],
  ['nested elements', depth, 0.001, (part) => nested(3_000_000 * part)],
  ['nested elements of an entry', depth, 0.001, (part) => `<Ntry>${nested(3_000_000 * part)}</Ntry>`],
  ['elements that do not end', depth, 0.001, (part) => filled('<a>', part)],
  ['a tag that does not end', malformed, 0.001, (part) => filled('<a ', part)],
  ['a value that does not end', malformed, 0.001, (part) => `<a b="${filled('x', part)}`],
  ['character references', text, 0.01, (part) => withText(filled('&#65;', part))],
  ['words of a text', text, 0.01, (part) => withText(filled('x  ', part))],
  [
    'words of many texts',
    /^must have no entry with a text of more than 1000000 characters$/,
    0.1,
    (part) => withText(filled(`${'x  '.repeat(30_000)}</Ustrd><Ustrd>`, part)),
  ],
  ['literal sections', markup, 0.55, (part) => filled('<![CDATA[]]>', part)],
  ['literal sections of an entry', markup, 0.55, (part) => `<Ntry>${filled('<![CDATA[]]>', part)}</Ntry>`],
  ['comments', markup, 0.35, (part) => filled('<!---->', part)],
  ['processing instructions', markup, 0.2, (part) => filled(`<?a ${'b '.repeat(40_000)}?>`, part)],
  ['spaces', text, 0.01, (part) => filled(' ', part)],
  [
    'entities',
    /^must have no document type declaration$/,
    0.001,
    (part) => `<!DOCTYPE a [${filled('<!ENTITY a "&a;">', part)}]>`,
  ],
];

const csv: readonly Row[] = [
  ['cells of one line', longLine, 0.01, (part) => `${header}\n${line}${filled(';', part)}`],
  [
    'cells of many lines',
    cells,
    0.05,
    (part) => `${header}\n${`${line}${';'.repeat(2_300)}\n`.repeat(10_000 * part)}`,
  ],
  [
    'cells of the header',
    parsed,
    1,
    (part) => `${';'.repeat(99_000)}${header}\n${`${line}\n`.repeat(10_000 * part)}`,
  ],
  [
    'cells before the header',
    cells,
    0.3,
    (part) =>
      `${`${';,\t'.repeat(33_000)}\n`.repeat(49 * part)}${header}\n${`${line}\n`.repeat(10_000 * part)}`,
  ],
  ['empty lines', cells, 0.1, (part) => `${header}\n${filled('\n', part)}`],
  ['a quoted value', longLine, 0.01, (part) => `${header}\n"${filled('x', part)}`],
  ['words of a line', parsed, 1, (part) => `${header}\n${filled(`${line}${'  x'.repeat(33_000)}\n`, part)}`],
];

/** A bank statement that is some KB as gzip, and takes seconds and a gigabyte of who parses it without bounds. */
export interface HostileFile {
  readonly of: string;
  readonly format: 'camt.053' | 'csv';
  /** Why it is refused. */
  readonly refusal: RegExp | undefined;
  /** The file of 24 MB. */
  readonly text: () => string;
  /** As much of it as the bounds refuse already. */
  readonly enough: () => string;
}

const hostileFile = (
  format: HostileFile['format'],
  [of, refusal, enough, content]: Row,
  file: (content: string) => string,
): HostileFile => {
  return { of, format, refusal, text: () => file(content(1)), enough: () => file(content(enough)) };
};

export const hostileFiles: readonly HostileFile[] = [
  ...xml.map((row) => hostileFile('camt.053', row, (content) => camt([content]))),
  ...csv.map((row) => hostileFile('csv', row, (content) => content)),
];

/** How the CSV files are read. */
export const hostileMapping: CsvMapping = {
  columns: { date: 'date', amount: 'amount', reference: ['reference'] },
  amounts: 'credits',
  dateFormat: 'YYYY-MM-DD',
  decimalSeparator: '.',
  currency: 'EUR',
};
