/** Entries of the ledger: each is a movement of money, in postings that add up to 0. */
import { defined } from '../shared/contract/defined.ts';
import { sumMinor } from '../shared/money/money.ts';

/**
 * The kinds of entries. docs/ledger.md has an example of each.
 *
 * - `invoice`: an invoice is issued. `cancellation`: what nobody owes of it any more, because it is void.
 * - `credit_note`: a credit note credits an invoice. `bad_debt`: what is given up of an invoice, with its tax. `write_off`: the same
 *   for a seller who keeps owing the tax, and a small amount that is missing.
 * - `payment`: money arrives. `allocation`: money that is here already moves between an invoice, the client's credit and
 *   what waits for a decision.
 * - `credit`: an invoice uses credit, or gives it back. `release`: what an invoice has received beyond what is owed of it
 *   becomes credit. `carry_over`: an invoice asks for a debt of the client.
 * - `refund`, `dispute`: a gateway takes money back. `refund_failed`, `dispute_won`: it gives that money back.
 * - `reversal`: a bank takes money back. `pay_out`: the seller sends money back.
 */
export const entryKinds = [
  'invoice',
  'cancellation',
  'credit_note',
  'bad_debt',
  'write_off',
  'payment',
  'allocation',
  'credit',
  'release',
  'carry_over',
  'refund',
  'refund_failed',
  'dispute',
  'dispute_won',
  'reversal',
  'pay_out',
] as const;
export type EntryKind = (typeof entryKinds)[number];

/**
 * Accounts that are not divided further within an entry. The client of the entry owns `credit`, its payment owns
 * `unallocated`. `sales` is revenue with its tax, and so is the `write_off` of a bad debt: the write of an entry divides them.
 */
export const plainAccounts = [
  'bank',
  'gateway',
  'credit',
  'unallocated',
  'sales',
  'revenue',
  'write_off',
] as const;
type PlainAccount = (typeof plainAccounts)[number];

/** An amount on an account, in minor units: a debit above 0, a credit below. */
export type Posting =
  | { readonly account: PlainAccount; readonly amountMinor: number }
  /** The amount that the client owes of the n-th invoice of the subscription. */
  | { readonly account: 'receivable'; readonly n: number; readonly amountMinor: number }
  | {
      readonly account: 'tax';
      readonly country: string;
      readonly percent: number;
      readonly amountMinor: number;
    };

/**
 * How the sale of an invoice is taxed.
 *
 * - `standard`: at a rate. `none`: there is no rate for the country. Countries are ISO 3166-1 alpha-2.
 * - `reverse_charge`: the customer owes the tax.
 */
export type Sale =
  | {
      readonly kind: 'standard';
      readonly country: string;
      readonly percent: number;
      /** A sale to a consumer of a member state of the European Union other than the seller's, for the One Stop Shop. */
      readonly oss?: true;
      /** The tax in the national currency of the seller, signed like the posting of the tax. */
      readonly national?: { readonly currency: string; readonly amountMinor: number };
    }
  | { readonly kind: 'reverse_charge' | 'none'; readonly country: string };

export interface Entry {
  readonly kind: EntryKind;
  readonly currency: string;
  readonly postings: readonly Posting[];
  /** `pay_...`: the payment whose money it moves. */
  readonly paymentId?: string;
  /** When the money moved, epoch milliseconds: the value date of a transfer, or the time of the gateway. The journal leaves out one of the time of booking. */
  readonly valueAtMs?: number;
  /** Of an entry that moves revenue, or gives it up as a bad debt. Absent without tax where the country of the customer is unknown. */
  readonly sale?: Sale;
}

interface EntryFields {
  readonly currency: string;
  readonly paymentId?: string | undefined;
  readonly valueAtMs?: number | undefined;
}

/**
 * An entry of these postings, without those of 0.
 *
 * @throws Error when they do not add up to 0, or an amount is not a safe integer.
 */
export function entry(
  kind: EntryKind,
  { currency, paymentId, valueAtMs }: EntryFields,
  postings: readonly Posting[],
): Entry {
  const moved = postings.filter(({ amountMinor }) => amountMinor !== 0);
  if (sumMinor(moved) !== 0 || !moved.every(({ amountMinor }) => Number.isSafeInteger(amountMinor)))
    throw new Error(`The postings of a ${kind} do not add up to 0`);
  return { kind, currency, postings: moved, ...defined({ paymentId, valueAtMs }) };
}

/** A movement of an amount from one account to another: the first is credited, the second debited. */
export function transfer(
  kind: EntryKind,
  of: EntryFields,
  { from, to, amountMinor }: { from: AccountRef; to: AccountRef; amountMinor: number },
): Entry {
  return entry(kind, of, [
    { ...to, amountMinor },
    { ...from, amountMinor: -amountMinor },
  ]);
}

/** The amount that an invoice has received too much becomes credit of the client. Below 0, it is taken from there. */
export function release({ n, currency }: NumberedInvoice, amountMinor: number): Entry {
  return transfer('release', { currency }, { from: credit, to: receivable(n), amountMinor });
}

/** Why nobody owes an amount of an invoice any more: it is void, or the amount is given up, with or without its tax. */
type Waiver = 'cancellation' | 'bad_debt' | 'write_off';

const waiverAccounts = { cancellation: 'sales', bad_debt: 'write_off', write_off: 'write_off' } as const;

export const waived = (kind: Waiver, { n, currency }: NumberedInvoice, amountMinor: number): Entry =>
  transfer(kind, { currency }, { from: receivable(n), to: { account: waiverAccounts[kind] }, amountMinor });

/** An amount of an invoice that is owed again after it was {@link waived}. */
export const owedAgain = (kind: Waiver, { n, currency }: NumberedInvoice, amountMinor: number): Entry =>
  transfer(kind, { currency }, { from: { account: waiverAccounts[kind] }, to: receivable(n), amountMinor });

interface NumberedInvoice {
  readonly n: number;
  readonly currency: string;
}

export type AccountRef =
  | { readonly account: PlainAccount }
  | { readonly account: 'receivable'; readonly n: number };

export const receivable = (n: number) => ({ account: 'receivable', n }) as const;
export const credit = { account: 'credit' } as const;
export const sales = { account: 'sales' } as const;

/** The sum of an account over entries of a currency, in minor units. */
export function postedMinor(
  entries: readonly Entry[],
  currency: string,
  isWanted: (posting: Posting, entry: Entry) => boolean,
): number {
  let totalMinor = 0;
  for (const one of entries)
    if (one.currency === currency)
      for (const posting of one.postings) if (isWanted(posting, one)) totalMinor += posting.amountMinor;
  return totalMinor;
}

/** The amount that entries add to the credit of the client, in minor units; below 0, they take it. */
export const creditedMinor = (entries: readonly Entry[], currency: string): number =>
  // A credit of the account is a negative posting, and 0 has no sign.
  0 - postedMinor(entries, currency, ({ account }) => account === 'credit');

export const movesCredit = ({ postings }: Entry): boolean =>
  postings.some(({ account }) => account === 'credit');

export function creditAfter(
  credit: Readonly<Record<string, number>>,
  entries: readonly Entry[],
): Readonly<Record<string, number>> {
  const moved = new Set(
    entries.flatMap(({ currency }) => (creditedMinor(entries, currency) === 0 ? [] : [currency])),
  );
  const after = [...moved].map((currency) => [
    currency,
    (credit[currency] ?? 0) + creditedMinor(entries, currency),
  ]);
  return { ...credit, ...Object.fromEntries(after) };
}
