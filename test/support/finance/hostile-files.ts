import { camt, entryXml } from './bank-files.ts';

/** A text as often as it fits a file of 24 MB. */
const filled = (text: string) => text.repeat(Math.floor((23 * 1024 * 1024) / text.length));
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

type Row = readonly [of: string, refusal: RegExp | undefined, content: () => string];

/** What stands in the statement. */
const xml: readonly Row[] = [
  ['elements', markup, () => filled('<a/>')],
  ['elements of one entry', markup, () => `<Ntry>${filled('<a/>')}</Ntry>`],
  ['empty entries', markup, () => filled('<Ntry/>')],
  [
    'transactions of one entry',
    entries,
    () =>
      `<Ntry><Amt Ccy="EUR">240000</Amt><NtryDtls>${'<TxDtls><Amt Ccy="EUR">1</Amt></TxDtls>'.repeat(240_000)}</NtryDtls></Ntry>`,
  ],
  ['elements of a batch', parsed, () => batch('<RvslInd/>'.repeat(900_000))],
  ['words of a batch', parsed, () => batch(`<AddtlNtryInf>${'x '.repeat(50_000)}</AddtlNtryInf>`)],
  ['an id of a batch', parsed, () => batch(`<AcctSvcrRef>${'x'.repeat(100_000)}</AcctSvcrRef>`)],
  ['attributes of one element', tag, () => `<a ${numbered(1_700_000, (n) => ` a${n}=""`)}/>`],
  ['attributes of many elements', markup, () => filled('<a b="" c="" d=""/>')],
  ['nested elements', depth, () => nested(3_000_000)],
  ['nested elements of an entry', depth, () => `<Ntry>${nested(3_000_000)}</Ntry>`],
  ['elements that do not end', depth, () => filled('<a>')],
  ['a tag that does not end', malformed, () => filled('<a ')],
  ['a value that does not end', malformed, () => `<a b="${filled('x')}`],
  ['character references', text, () => withText(filled('&#65;'))],
  ['words of a text', text, () => withText(filled('x  '))],
  [
    'words of many texts',
    /^must have no entry with a text of more than 1000000 characters$/,
    () => withText(filled(`${'x  '.repeat(30_000)}</Ustrd><Ustrd>`)),
  ],
  ['literal sections', markup, () => filled('<![CDATA[]]>')],
  ['literal sections of an entry', markup, () => `<Ntry>${filled('<![CDATA[]]>')}</Ntry>`],
  ['comments', markup, () => filled('<!---->')],
  ['processing instructions', markup, () => filled(`<?a ${'b '.repeat(40_000)}?>`)],
  ['spaces', text, () => filled(' ')],
  [
    'entities',
    /^must have no document type declaration$/,
    () => `<!DOCTYPE a [${filled('<!ENTITY a "&a;">')}]>`,
  ],
];

const csv: readonly Row[] = [
  ['cells of one line', longLine, () => `${header}\n${line}${filled(';')}`],
  ['cells of many lines', cells, () => `${header}\n${`${line}${';'.repeat(2_300)}\n`.repeat(10_000)}`],
  ['cells of the header', parsed, () => `${';'.repeat(99_000)}${header}\n${`${line}\n`.repeat(10_000)}`],
  [
    'cells before the header',
    cells,
    () => `${`${';,\t'.repeat(33_000)}\n`.repeat(49)}${header}\n${`${line}\n`.repeat(10_000)}`,
  ],
  ['empty lines', cells, () => `${header}\n${filled('\n')}`],
  ['a quoted value', longLine, () => `${header}\n"${filled('x')}`],
  ['words of a line', parsed, () => `${header}\n${filled(`${line}${'  x'.repeat(33_000)}\n`)}`],
];

/** A bank statement that is some KB as gzip, and takes seconds and a gigabyte of who parses it without bounds. */
export interface HostileFile {
  readonly of: string;
  readonly format: 'camt.053' | 'csv';
  /** Why it is refused. */
  readonly refusal: RegExp | undefined;
  readonly text: () => string;
}

export const hostileFiles: readonly HostileFile[] = [
  ...xml.map(([of, refusal, content]): HostileFile => {
    return { of, format: 'camt.053', refusal, text: () => camt([content()]) };
  }),
  ...csv.map(([of, refusal, content]): HostileFile => ({ of, format: 'csv', refusal, text: content })),
];

/** How the CSV files are read. */
export const hostileMapping = {
  columns: { date: 'date', amount: 'amount', reference: ['reference'] },
  dateFormat: 'YYYY-MM-DD',
  decimalSeparator: '.',
  currency: 'EUR',
} as const;
