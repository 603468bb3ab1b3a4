import { setImmediate } from 'node:timers/promises';
import type { XMLParser } from 'fast-xml-parser';
import { defined } from '../../../shared/contract/defined.ts';
import { maxDepth, repeated, requireBoundedXml } from './bounds.ts';
import { dateIn, entriesOf, type Transaction } from './camt-entry.ts';
import { unlessImpossible } from './dates.ts';
import { decodeXml } from './decode.ts';
import {
  type BankEntry,
  type ParsedStatement,
  type RejectedEntry,
  requireFewEntries,
  requireReadable,
  UnreadableFile,
} from './entry.ts';
import { children, isElement, textAt, type XmlNode } from './xml.ts';

/** The path of an entry. Its content stays text until it is read: the tree of a large file would take ten times its size. */
const entryPath = 'Document.BkToCstmrStmt.Stmt.Ntry';

const entriesAtOnce = 100;

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
 * @param signal ends the reading. Between entries, other work of the process has its turn.
 * @throws UnreadableFile
 */
export async function parseCamt(
  bytes: Uint8Array,
  nowMs: number,
  signal?: AbortSignal,
): Promise<ParsedStatement> {
  const xml = decodeXml(bytes);
  requireBoundedXml(xml);
  // Loaded on first use, so that a cold start does not read it.
  const { XMLParser } = await import('fast-xml-parser');
  const document = parseXml(new XMLParser({ ...options, stopNodes: [entryPath] }), xml);
  const root = children(document, 'Document')[0];
  const messages = root === undefined ? [] : children(root, 'BkToCstmrStmt');
  if (messages.length === 0) throw new UnreadableFile(`is not a CAMT.053 document${otherMessage(root)}`);
  const parser = new XMLParser(options);
  const found: BankEntry[] = [];
  const rejected: RejectedEntry[] = [];
  let withdrawals = 0;
  let notBooked = 0;
  let n = 0;
  for (const { message, statement } of messages.flatMap(statementsOf)) {
    const common = { account: accountOf(statement), statementDay: dayOfStatement(message, statement), nowMs };
    const entries = children(statement, 'Ntry');
    requireFewEntries(found.length + withdrawals + entries.length);
    for (const stopped of entries) {
      n += 1;
      if (n % entriesAtOnce === 0) await setImmediate(undefined, defined({ signal }));
      const where = `entry ${n}`;
      const entry = children(parseXml(parser, `<Ntry>${rawText(stopped)}</Ntry>`), 'Ntry')[0];
      if (entry === undefined) throw new UnreadableFile(`${where} is empty`);
      if (!isBooked(entry)) notBooked += 1;
      else {
        const transactions = unlessImpossible(() => entriesOf(Object.assign({ entry, where }, common)));
        if (typeof transactions === 'string') {
          rejected.push({ entry: n, problem: transactions });
          continue;
        }
        requireFewEntries(found.length + withdrawals + transactions.length);
        const shown = transactions.filter(isShown);
        withdrawals += transactions.length - shown.length;
        found.push(...shown);
      }
    }
  }
  requireReadable(rejected, found.length + withdrawals + notBooked);
  return { entries: found, withdrawals, notBooked, rejected };
}

const isShown = (one: Transaction): one is BankEntry => one.kind !== 'debit' && one.amountMinor > 0;

/** Messages of banks that have the same entries, and are no statement. */
const otherMessages = {
  BkToCstmrAcctRpt: ', but CAMT.052, a report within the day: send the statement of the day, CAMT.053',
  BkToCstmrDbtCdtNtfctn: ', but CAMT.054, single notifications: send the statement of the day, CAMT.053',
};

const otherMessage = (root: XmlNode | undefined): string =>
  Object.entries(otherMessages).find(
    ([name]) => root !== undefined && children(root, name).length > 0,
  )?.[1] ?? ': Document/BkToCstmrStmt is missing';

const statementsOf = (message: XmlNode) =>
  children(message, 'Stmt').map((statement) => ({ message, statement }));

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

function rawText(node: XmlNode): string {
  const { '#text': text } = node;
  return typeof text === 'string' ? text : '';
}

/** The account of a statement: its IBAN, or the number that the bank uses instead. */
function accountOf(statement: XmlNode): string {
  const account = textAt(statement, 'Acct', 'Id', 'IBAN') ?? textAt(statement, 'Acct', 'Id', 'Othr', 'Id');
  return repeated(account ?? '').replaceAll(/\s/g, '');
}

/**
 * The day of the entries of a statement that state none: that of the closing balance, else the end of the period, else the day on which
 * the statement was made. No entry is later, so that no payer is late by it.
 */
function dayOfStatement(message: XmlNode, statement: XmlNode): string | undefined {
  const closing = children(statement, 'Bal').find((one) => textAt(one, 'Tp', 'CdOrPrtry', 'Cd') === 'CLBD');
  return (
    dateIn(closing ?? {}, 'Dt') ??
    textAt(statement, 'FrToDt', 'ToDtTm') ??
    textAt(statement, 'CreDtTm') ??
    textAt(message, 'GrpHdr', 'CreDtTm')
  );
}

/** Whether the bank has booked an entry. Its status is a code since version 08, before a text; a status of the bank's own is no booking. */
function isBooked(entry: XmlNode): boolean {
  const [status] = children(entry, 'Sts');
  return status === undefined || (textAt(status, 'Cd') ?? textAt(status)) === 'BOOK';
}
