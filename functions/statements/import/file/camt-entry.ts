import { minorOf } from './amount.ts';
import { repeated, textOf } from './bounds.ts';
import { dayOf } from './dates.ts';
import { type BankEntry, requireFewEntries, UnreadableFile } from './entry.ts';
import { children, textAt, texts, type XmlNode } from './xml.ts';

export type Transaction = Omit<BankEntry, 'kind'> & { readonly kind: BankEntry['kind'] | 'debit' };

export const dateIn = (parent: XmlNode, name: string): string | undefined =>
  textAt(parent, name, 'Dt') ?? textAt(parent, name, 'DtTm');

/** Whether money arrives, or leaves. */
type Indicator = 'CRDT' | 'DBIT';
const isIndicator = (text: string | undefined): text is Indicator => text === 'CRDT' || text === 'DBIT';

function indicatorOf(node: XmlNode, ofWhole: Indicator | undefined, where: string): Indicator {
  const indicator = textAt(node, 'CdtDbtInd') ?? ofWhole;
  if (isIndicator(indicator)) return indicator;
  throw new UnreadableFile(`${where} is neither a credit nor a debit`);
}

/** An amount as the account sees it. */
const signed = ({ amountMinor, indicator }: { amountMinor: number; indicator: Indicator }) =>
  indicator === 'CRDT' ? amountMinor : -amountMinor;

interface EntrySource {
  entry: XmlNode;
  account: string;
  statementDay: string | undefined;
  where: string;
  nowMs: number;
}

/**
 * The transactions of an entry. A batch has several: each is an entry of its own, where their credits less their debits are the
 * amount of the batch. Otherwise it is one entry, and its own indicator decides: banks write that of the original transaction into the
 * details of money that goes back. Such an entry has the amount of a transfer only where it has one transaction, without another amount.
 */
export function entriesOf({ entry, account, statementDay, where, nowMs }: EntrySource): Transaction[] {
  const amount = children(entry, 'Amt')[0];
  const text = amount === undefined ? undefined : textAt(amount);
  const currency = amount?.['@Ccy'];
  if (text === undefined || typeof currency !== 'string') throw new UnreadableFile(`${where} has no amount`);
  const amountMinor = minorOf(text, currency, where);
  const groups = children(entry, 'NtryDtls');
  const details = groups.flatMap((one) => children(one, 'TxDtls'));
  requireFewEntries(details.length);
  const whole = { amountMinor, indicator: indicatorOf(entry, undefined, where) };
  const parts = details.map((one) => ({
    details: [one],
    indicator: indicatorOf(one, whole.indicator, where),
    amountMinor: amountOf(one, currency, where) ?? Number.NaN,
  }));
  const sum = parts.reduce((sum, part) => sum + signed(part), 0);
  const isSplit = details.length > 1 && sum === signed(whole);
  const common = { account, currency, where, nowMs, ofEntry: fieldsOf(entry, statementDay, isSplit) };
  if (isSplit)
    return parts.map((part, i) =>
      transactionOf({ ...common, ...part, isOneAmount: true, position: String(i) }),
    );
  const isOneAmount =
    parts.length <= 1 &&
    groups.every((one) => Number(textAt(one, 'Btch', 'NbOfTxs') ?? 1) <= 1) &&
    parts.every((part) => Number.isNaN(part.amountMinor) || part.amountMinor === amountMinor);
  return [transactionOf({ ...common, ...whole, details, isOneAmount, position: '' })];
}

/** The fields of an entry that hold for all its transactions. They are read once: a hostile batch has thousands of them, and long texts. */
function fieldsOf(entry: XmlNode, statementDay: string | undefined, isSplit: boolean) {
  const text = (name: string) => {
    const found = textAt(entry, name);
    return isSplit && found !== undefined ? repeated(found) : found;
  };
  return {
    isReversal:
      ['true', '1'].includes(text('RvslInd') ?? '') || isReturnCode(textAt(entry, ...subFamilyPath)),
    day: dateIn(entry, 'ValDt') ?? dateIn(entry, 'BookgDt') ?? statementDay,
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

interface TransactionSource extends Omit<EntrySource, 'entry' | 'statementDay'> {
  ofEntry: ReturnType<typeof fieldsOf>;
  indicator: Indicator;
  currency: string;
  details: readonly XmlNode[];
  amountMinor: number;
  /** Whether the amount is that of one transfer. */
  isOneAmount: boolean;
  /** The place in its batch; empty for an entry that stays whole. */
  position: string;
}

function transactionOf(source: TransactionSource): Transaction {
  const { account, currency, where, nowMs, details, indicator, amountMinor, isOneAmount, position } = source;
  const { day, info, id: entryId } = source.ofEntry;
  const of = (...path: string[]) =>
    details.map((one) => textAt(one, ...path)).find((one) => one !== undefined);
  if (day === undefined) throw new UnreadableFile(`${where} has no date`);
  const remittance = details.flatMap((one) => children(one, 'RmtInf'));
  const written = remittance.flatMap((one) => texts(one, 'Ustrd'));
  const structured = remittance
    .flatMap((one) => children(one, 'Strd'))
    .flatMap((one) => [...texts(one, 'CdtrRefInf', 'Ref'), ...texts(one, 'AddtlRmtInf')]);
  const more = [info, of('AddtlTxInf')].filter((one) => one !== undefined);
  const ownId = given(of('Refs', 'AcctSvcrRef'));
  const isReversal = source.ofEntry.isReversal || details.some(isReturned);
  const endToEndId = given(of('Refs', 'EndToEndId'));
  const ids = [endToEndId, given(of('Refs', 'TxId')), given(of('Refs', 'UETR')), ownId ?? entryId];
  return {
    kind: (isReversal ? reversalKinds : kinds)[indicator],
    amountMinor,
    currency,
    // The text of a batch is not that of one of its transactions.
    isOneTransfer: isOneAmount && (position === '' || written.length > 0 || info === undefined),
    valueAtMs: dayOf(day, where, { nowMs }),
    account,
    // The bank's addition is read where the payer wrote nothing.
    text: textOf(written.length > 0 ? written : more),
    structured,
    ids: ids.filter((id) => id !== undefined).map((id) => id.slice(0, maxId)),
    bankId: ownId ?? (entryId && `${entryId}/${position}`),
    endToEndId,
    ...payerOf(of, { account, isReversal }),
  };
}

type TextAt = (...path: string[]) => string | undefined;

/** The payer of a transfer. Of a reversal, banks name the parties of the transfer, or those of the money that goes back. */
function payerOf(of: TextAt, { account, isReversal }: { account: string; isReversal: boolean }) {
  const party = (role: 'Dbtr' | 'Cdtr') => ({
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

const maxId = 36;

/** An id, unless the field says that there is none. */
function given(id: string | undefined): string | undefined {
  return id === undefined || /^(?:NOTPROVIDED|NOTAVAILABLE|NONREF|NOREF|N\/?A|-+|0*)$/i.test(id)
    ? undefined
    : id;
}
