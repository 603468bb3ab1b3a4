import { paymentStatuses } from '../../ledger/payment.ts';
import type { Operator } from '../../shared/contract/operator-scopes.ts';
import { toMinor } from '../../shared/money/money.ts';
import { dayMs } from '../../shared/runtime/clock.ts';
import { isId } from '../../shared/runtime/ids.ts';
import type { RejectedEntry } from './file/entry.ts';

export const statementFormats = ['camt.053', 'csv'] as const;
type StatementFormat = (typeof statementFormats)[number];

/** `ready`: nothing is recorded yet. `importing`: confirmed. `imported`: every entry has a result. */
export const statementStatuses = ['ready', 'importing', 'imported'] as const;
type StatementStatus = (typeof statementStatuses)[number];

/**
 * The purpose of an entry, as far as the service knows. `matched`: one transfer names one subscription. `suggested`: a
 * person decides between candidates. `unknown`: neither. `duplicate`: it is recorded already. `reversal`: the bank took
 * money back, or gave a withdrawal back.
 */
export const matchKinds = ['matched', 'suggested', 'unknown', 'duplicate', 'reversal'] as const;
export type MatchKind = (typeof matchKinds)[number];

/** A subscription that an entry can be for. Amounts in minor units of the currency of the entry. */
export interface Candidate {
  subscriptionId: string;
  externalId: string;
  /** The invoice that the entry names, or whose amount it has. */
  invoiceId?: string;
  invoiceNumber?: string;
  referenceNumber?: string;
  clientName?: string;
  /** The amount due of the invoice; without one, of all open invoices. */
  dueMinor: number;
}

export interface SplitPart {
  invoiceId: string;
  amountMinor: number;
}

/** A payment that a reversal takes back. Its amount in minor units. */
export interface ReversedPayment {
  paymentId: string;
  amountMinor: number;
  valueAtMs: number;
  externalId?: string;
  /** The name of the payer. */
  name?: string;
}

export type StoredEntry = EntryFields & Purpose;

/** The statements of an entry of any purpose. Amounts in minor units, times in epoch milliseconds. */
export interface EntryFields {
  /** Its number in the statement, from 1, by value date. */
  n: number;
  amountMinor: number;
  currency: string;
  valueAtMs: number;
  /** The id at the bank: see source-id.ts. */
  sourceId: string;
  paymentId: string;
  text: string;
  bankId: string | undefined;
  name: string | undefined;
  iban: string | undefined;
  /** The ids of the transfer, which its payment keeps. */
  ids: readonly string[] | undefined;
}

export type Purpose =
  | { readonly match: 'unknown' | 'duplicate' }
  | { readonly match: 'matched' | 'suggested'; readonly candidates: readonly Candidate[] }
  /** The invoices that the entry names: what is due of them adds up to its amount. */
  | {
      readonly match: 'matched';
      readonly candidates: readonly Candidate[];
      readonly split: readonly SplitPart[];
    }
  /** The bank gave a withdrawal back. */
  | { readonly match: 'reversal' }
  | {
      readonly match: 'reversal' | 'duplicate';
      /** The payments that it can be of. */
      readonly payments: readonly ReversedPayment[];
      /** The payment that it takes back, when that is certain. */
      readonly reverses?: string;
    };

/** Whether an entry takes money back, or gives a withdrawal back. It is no income. */
export const isReversal = (entry: StoredEntry): boolean => entry.match === 'reversal' || 'payments' in entry;

export const entryCandidates = (entry: StoredEntry): readonly Candidate[] =>
  'candidates' in entry ? entry.candidates : [];

export const reversedId = (entry: StoredEntry): string | undefined =>
  'payments' in entry ? entry.reverses : undefined;

export type Decision =
  | { readonly skip: true }
  /** As without a decision, also when a person decided otherwise before. */
  | { readonly asMatched: true }
  /** The entry is recorded as a payment that waits, whatever it matches. */
  | { readonly unapplied: true }
  | { readonly subscriptionId: string }
  | { readonly invoiceId: string }
  /** Divided between invoices. Decimal amounts in the currency of the entry, which add up to its amount. */
  | { readonly invoices: readonly { readonly invoiceId: string; readonly amount: number }[] }
  /** Of a reversal: the payment that it takes back. */
  | { readonly paymentId: string };

/** By number of the entry. `by` is the operator key of the person who kept the decision in the console. */
export type Decisions = Readonly<Record<string, { readonly decision: Decision; readonly by?: string }>>;

/** A person who keeps decisions in the console. */
export type Author = Pick<Operator, 'keyId' | 'name'>;

/** The most decisions about a statement: they are one item with it. */
export const maxDecisions = 1_000;

/**
 * The result of an entry: the state of its payment. `duplicate`: it was recorded before. `skipped`: the seller left it out. `reversed`: its
 * payment was taken back. `reversal`: nothing was done. `failed`: its subscription or its payment refused it.
 */
export const resultKinds = [
  ...paymentStatuses,
  'duplicate',
  'skipped',
  'reversed',
  'reversal',
  'failed',
] as const;
export type ResultKind = (typeof resultKinds)[number];

export interface EntryResult {
  n: number;
  result: ResultKind;
  /** The code of the error, of a failed one. */
  error?: string;
}

/** Numbers by name. */
type Counts = Readonly<Record<string, number>>;

/** A bank statement as stored. Its entries are in parts. */
export interface BankStatement {
  statementId: string;
  applicationId: string;
  format: StatementFormat;
  status: StatementStatus;
  /** Entries by {@link MatchKind}. */
  matches: Counts;
  totals: Counts;
  /** Entries of the file that are not shown: withdrawals, and those that are not booked. */
  withdrawals: number;
  notBooked: number;
  /** Entries of the file that are left out because their date is impossible. Absent for none. */
  rejected?: readonly RejectedEntry[];
  partSizes: readonly number[];
  /** The number of parts whose entries have results. */
  partsDone: number;
  results: Counts;
  /** Those that are kept in the console, and after the confirmation those that it was confirmed with. */
  decisions: Decisions;
  /** How often they changed. */
  decisionsVersion: number;
  /** By operator key. A thousand decisions with a name each do not fit the item. */
  authors: Readonly<Record<string, Author>>;
  createdAtMs: number;
  confirmedAtMs?: number;
  importedAtMs?: number;
}

/** How long a statement can be read. The payments are kept. */
export const statementRetentionMs = 90 * dayMs;

export const isStatementId = (text: string): boolean => isId('bst', text);

/** The decision about an entry, unless it is to record the entry as it is matched. */
export function decisionOf({ n }: EntryFields, { decisions }: BankStatement): Decision | undefined {
  const decision = decisions[n]?.decision;
  return decision !== undefined && 'asMatched' in decision ? undefined : decision;
}

export const entryCount = ({ partSizes }: Pick<BankStatement, 'partSizes'>): number =>
  partSizes.reduce((sum, size) => sum + size, 0);

export const doneCount = ({ partSizes, partsDone }: Pick<BankStatement, 'partSizes' | 'partsDone'>): number =>
  entryCount({ partSizes: partSizes.slice(0, partsDone) });

/** The part (from 1) of an entry (from 1), and the number of entries before the part. */
export function partOf(
  partSizes: readonly number[],
  n: number,
): { part: number; before: number } | undefined {
  let before = 0;
  for (const [i, size] of partSizes.entries()) {
    if (n <= before + size) return { part: i + 1, before };
    before += size;
  }
  return undefined;
}

/** Decided parts in minor units. An amount with more decimals than the currency is none. */
export const minorPartsOf = (
  parts: readonly { readonly invoiceId: string; readonly amount: number }[],
  currency: string,
): SplitPart[] =>
  parts.map(({ invoiceId, amount }) => ({ invoiceId, amountMinor: toMinor(amount, currency) ?? Number.NaN }));

export function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
