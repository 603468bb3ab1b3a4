import type { XMLParser } from 'fast-xml-parser';
import { defined } from '../../../shared/contract/defined.ts';
import { minorOf } from './amount.ts';
import { maxDepth, repeated, requireBoundedXml, textOf } from './bounds.ts';
import { dayOf, unlessImpossible } from './dates.ts';
import { decodeXml } from './decode.ts';
import {
  type BankEntry,
  type ParsedStatement,
  type RejectedEntry,
  requireFewEntries,
  requireReadable,
  UnreadableFile,
} from './entry.ts';
import { children, isElement, textAt, texts, type XmlNode } from './xml.ts';

/** The path of an entry. Its content stays text until it is read: the tree of a large file would take ten times its size. */
const entryPath = 'Document.BkToCstmrStmt.Stmt.Ntry';

const options = {
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  cdataPropName: '#cdata',
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: maxDepth,
} as const;

/**
 * Reads CAMT.053 (`BankToCustomerStatement` of ISO 20022) of any version since 001.02. The versions differ in places that
 * are read alike: a status is a text or a code, a party has a name or is wrapped in `Pty`, a BIC is in another field.
 * https://www.iso20022.org/catalogue-messages/iso-20022-messages-archive?search=camt.053
 *
 * A document type declaration is refused, so no entity is ever expanded and no other file is read.
 *
 * @throws UnreadableFile
 */
export async function parseCamt(bytes: Uint8Array, nowMs: number): Promise<ParsedStatement> {
  const xml = decodeXml(bytes);
  requireBoundedXml(xml);
  // Loaded on first use, so that a cold start does not read it.
  const { XMLParser } = await import('fast-xml-parser');
  const document = parseXml(new XMLParser({ ...options, stopNodes: [entryPath] }), xml);
  const root = children(document, 'Document')[0];
  const messages = root === undefined ? [] : children(root, 'BkToCstmrStmt');
  if (messages.length === 0)
    throw new UnreadableFile('is not a CAMT.053 document: Document/BkToCstmrStmt is missing');
  const parser = new XMLParser(options);
  const found: BankEntry[] = [];
  const rejected: RejectedEntry[] = [];
  let withdrawals = 0;
  let notBooked = 0;
  let n = 0;
  for (const statement of messages.flatMap((message) => children(message, 'Stmt'))) {
    const account = accountOf(statement);
    const entries = children(statement, 'Ntry');
    requireFewEntries(found.length + withdrawals + entries.length);
    for (const stopped of entries) {
      n += 1;
      const where = `entry ${n}`;
      const entry = children(parseXml(parser, `<Ntry>${rawText(stopped)}</Ntry>`), 'Ntry')[0];
      if (entry === undefined) throw new UnreadableFile(`${where} is empty`);
      if (statusOf(entry) !== 'BOOK') notBooked += 1;
      else {
        const transactions = unlessImpossible(() => entriesOf({ entry, account, where, nowMs }));
        if (typeof transactions === 'string') {
          rejected.push({ entry: n, problem: transactions });
          continue;
        }
        requireFewEntries(found.length + withdrawals + transactions.length);
        withdrawals += transactions.filter(({ kind }) => kind === 'debit').length;
        found.push(...transactions.filter(isShown));
      }
    }
  }
  requireReadable(rejected, found.length + withdrawals + notBooked);
  return { entries: found, withdrawals, notBooked, rejected };
}

type Transaction = Omit<BankEntry, 'kind'> & { readonly kind: BankEntry['kind'] | 'debit' };
const isShown = (one: Transaction): one is BankEntry => one.kind !== 'debit';

function parseXml(parser: XMLParser, xml: string): XmlNode {
  let document: unknown;
  try {
    document = parser.parse(xml, true);
  } catch {
    throw new UnreadableFile('is not well-formed XML');
  }
  if (!isElement(document)) throw new UnreadableFile('is not well-formed XML');
  return document;
}

/** The content of a stop node, as text. */
function rawText(node: XmlNode): string {
  const { '#text': text } = node;
  return typeof text === 'string' ? text : '';
}

/** The account of a statement: its IBAN, or the number that the bank uses instead. */
function accountOf(statement: XmlNode): string {
  const account = textAt(statement, 'Acct', 'Id', 'IBAN') ?? textAt(statement, 'Acct', 'Id', 'Othr', 'Id');
  return repeated(account ?? '').replaceAll(/\s/g, '');
}

/** The status of an entry: a code since version 04, before a text. An entry without one is booked. */
const statusOf = (entry: XmlNode) => textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts') ?? 'BOOK';

/** The entry of a statement, and where it is. */
interface EntrySource {
  entry: XmlNode;
  account: string;
  where: string;
  nowMs: number;
}

/**
 * The transactions of an entry. A batch has several: each is an entry of its own, where their amounts are stated and add up
 * to that of the batch. Otherwise the batch is one entry.
 */
function entriesOf({ entry, account, where, nowMs }: EntrySource): Transaction[] {
  const amount = children(entry, 'Amt')[0];
  const text = amount === undefined ? undefined : textAt(amount);
  const currency = amount?.['@Ccy'];
  if (text === undefined || typeof currency !== 'string') throw new UnreadableFile(`${where} has no amount`);
  const total = { amountMinor: minorOf(text, currency, where), currency };
  const details = children(entry, 'NtryDtls').flatMap((one) => children(one, 'TxDtls'));
  requireFewEntries(details.length);
  const amounts = details.map((one) => amountOf(one, currency, where));
  const sum = amounts.reduce<number>((sum, one) => sum + (one ?? Number.NaN), 0);
  const isSplit = details.length > 1 && sum === total.amountMinor;
  const common = { account, currency, where, nowMs, whole: wholeOf(entry, isSplit) };
  if (!isSplit) return [transactionOf({ ...common, details, amountMinor: total.amountMinor, position: '' })];
  return details.map((one, i) =>
    transactionOf({
      ...common,
      details: [one],
      amountMinor: amounts[i] ?? 0,
      position: String(i),
    }),
  );
}

/** The fields of an entry that hold for all its transactions. They are read once: a hostile batch has thousands of them, and long texts. */
function wholeOf(entry: XmlNode, isSplit: boolean) {
  const text = (name: string) => {
    const found = textAt(entry, name);
    return isSplit && found !== undefined ? repeated(found) : found;
  };
  return {
    indicator: text('CdtDbtInd'),
    isReversal:
      ['true', '1'].includes(text('RvslInd') ?? '') || isReturnCode(textAt(entry, ...subFamilyPath)),
    day:
      textAt(entry, 'ValDt', 'Dt') ??
      textAt(entry, 'ValDt', 'DtTm') ??
      textAt(entry, 'BookgDt', 'Dt') ??
      textAt(entry, 'BookgDt', 'DtTm'),
    info: text('AddtlNtryInf'),
    id: given(text('AcctSvcrRef')),
  };
}

/** The amount of a transaction in the currency of the account: in `Amt` since version 04, before in `AmtDtls`. */
function amountOf(details: XmlNode, currency: string, where: string): number | undefined {
  const candidates = [
    children(details, 'Amt')[0],
    ...children(details, 'AmtDtls').flatMap((one) =>
      ['TxAmt', 'InstdAmt'].map((name) => children(children(one, name)[0] ?? {}, 'Amt')[0]),
    ),
  ];
  const own = candidates.find((one) => one?.['@Ccy'] === currency);
  const text = own && textAt(own);
  return text === undefined ? undefined : minorOf(text, currency, where);
}

interface TransactionSource extends Omit<EntrySource, 'entry'> {
  whole: ReturnType<typeof wholeOf>;
  currency: string;
  /** The details that the transaction is described by. */
  details: readonly XmlNode[];
  amountMinor: number;
  /** The place in its batch. */
  position: string;
}

function transactionOf(source: TransactionSource): Transaction {
  const { account, currency, where, nowMs, details, amountMinor, position } = source;
  const { day, info, id: entryId, ...whole } = source.whole;
  const of = (...path: string[]) =>
    details.map((one) => textAt(one, ...path)).find((one) => one !== undefined);
  const indicator = of('CdtDbtInd') ?? whole.indicator;
  if (indicator !== 'CRDT' && indicator !== 'DBIT')
    throw new UnreadableFile(`${where} is neither a credit nor a debit`);
  if (day === undefined) throw new UnreadableFile(`${where} has no date`);
  const remittance = details.flatMap((one) => children(one, 'RmtInf'));
  const written = remittance.flatMap((one) => texts(one, 'Ustrd'));
  const structured = remittance
    .flatMap((one) => children(one, 'Strd'))
    .flatMap((one) => [...texts(one, 'CdtrRefInf', 'Ref'), ...texts(one, 'AddtlRmtInf')]);
  const more = [info, of('AddtlTxInf')].filter((one) => one !== undefined);
  const ownId = given(of('Refs', 'AcctSvcrRef'));
  const isReversal = whole.isReversal || details.some(isReturned);
  const endToEndId = given(of('Refs', 'EndToEndId'));
  const ids = [endToEndId, given(of('Refs', 'TxId')), given(of('Refs', 'UETR')), ownId ?? entryId];
  return {
    kind: (isReversal ? reversalKinds : kinds)[indicator],
    amountMinor,
    currency,
    valueAtMs: dayOf(day, where, { nowMs }),
    account,
    // The bank's addition is read where the payer wrote nothing.
    text: textOf(written.length > 0 ? written : more),
    structured,
    ids: ids.filter((id) => id !== undefined).map((id) => id.slice(0, maxId)),
    ...defined({
      bankId: ownId ?? (entryId && `${entryId}/${position}`),
      endToEndId,
    }),
    ...payerOf(of, { account, isReversal }),
  };
}

type TextAt = (...path: string[]) => string | undefined;

/** The payer of a transfer. Of a reversal, banks name the parties of the transfer, or those of the money that goes back. */
function payerOf(of: TextAt, { account, isReversal }: { account: string; isReversal: boolean }) {
  const party = (role: 'Dbtr' | 'Cdtr') =>
    defined({
      name: [role, `Ultmt${role}`]
        .flatMap((one) => [of('RltdPties', one, 'Nm'), of('RltdPties', one, 'Pty', 'Nm')])
        .find((one) => one !== undefined),
      iban: of('RltdPties', `${role}Acct`, 'Id', 'IBAN')?.replaceAll(/\s/g, ''),
    });
  const debtor = party('Dbtr');
  const isOwn = debtor.iban === account || (debtor.iban ?? debtor.name) === undefined;
  return isReversal && isOwn ? party('Cdtr') : debtor;
}

const kinds = { CRDT: 'credit', DBIT: 'debit' } as const;
/** The indicator is that of the reversal: one that debits the account takes a credit back (ISO 20022, `ReversalIndicator`). */
const reversalKinds = { CRDT: 'withdrawal_undone', DBIT: 'reversal' } as const;

const subFamilyPath = ['BkTxCd', 'Domn', 'Fmly', 'SubFmlyCd'] as const;

/**
 * Sub-families of bank transaction codes: a transfer that was returned, or recalled, and a direct debit that came back.
 * https://www.iso20022.org/catalogue-messages/additional-content-messages/external-code-sets
 */
const isReturnCode = (code: string | undefined) =>
  code !== undefined && ['RRTN', 'RPCR', 'UPDD', 'PRDD'].includes(code);

/** Banks that do not use the indicator state why the money goes back. */
const isReturned = (details: XmlNode) =>
  children(details, 'RtrInf').length > 0 || isReturnCode(textAt(details, ...subFamilyPath));

/** The length of the longest id in ISO 20022, a UETR. */
const maxId = 36;

/** An id, unless the field says that there is none. */
function given(id: string | undefined): string | undefined {
  return id === undefined || /^(?:NOTPROVIDED|NOTAVAILABLE|NONREF|NOREF|N\/?A|-+|0*)$/i.test(id)
    ? undefined
    : id;
}
