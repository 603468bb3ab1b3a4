/** The settled amounts of an invoice, by kind: the sums of the entries on its receivable. */
import {
  credit,
  type Entry,
  type EntryKind,
  owedAgain,
  receivable,
  release,
  transfer,
  waived,
} from './entry.ts';

/**
 * The sums of the entries on the receivable of an invoice, after the one that issued it. In minor units, absent for 0.
 * Each is above 0. The ledger is their source: they stand with the invoice so that a decision need not add entries up.
 */
export type Settled = Readonly<Partial<Sums>>;

interface Sums {
  /** By payments, less what a bank, a dispute or the seller took off it. */
  paidMinor: number;
  /** Of these payments, what a gateway refunded, less what came back. It counts against the others. */
  refundedMinor: number;
  fromCreditMinor: number;
  creditNotedMinor: number;
  cancelledMinor: number;
  /** Given up with its tax: it is uncollectible. */
  badDebtMinor: number;
  /** Given up without its tax: a small amount is missing, or the seller keeps owing the tax of what is uncollectible. */
  writtenOffMinor: number;
  /** The part that became credit of the client, because a credit note credited a paid invoice. It counts against the others. */
  releasedMinor: number;
  /** A debt of the client that the invoice asks for beside its total. It counts against the others. */
  carriedMinor: number;
}

export const sumOfKind: { readonly [K in EntryKind]: keyof Settled | undefined } = {
  invoice: undefined,
  pay_out: undefined,
  payment: 'paidMinor',
  allocation: 'paidMinor',
  refund: 'refundedMinor',
  refund_failed: 'paidMinor',
  dispute: 'paidMinor',
  dispute_won: 'paidMinor',
  reversal: 'paidMinor',
  credit: 'fromCreditMinor',
  credit_note: 'creditNotedMinor',
  cancellation: 'cancelledMinor',
  bad_debt: 'badDebtMinor',
  write_off: 'writtenOffMinor',
  release: 'releasedMinor',
  carry_over: 'carriedMinor',
};

const raises = (name: keyof Settled) =>
  name !== 'refundedMinor' && name !== 'releasedMinor' && name !== 'carriedMinor';

export function settledAfter(
  settled: Settled | undefined,
  n: number,
  entries: readonly Entry[],
): Settled | undefined {
  const after: Partial<Sums> = { ...settled };
  const add = (name: keyof Settled, minor: number) => {
    const sumMinor = (after[name] ?? 0) + minor;
    if (sumMinor === 0) delete after[name];
    else after[name] = sumMinor;
  };
  for (const { kind, postings } of entries) {
    const name = sumOfKind[kind];
    if (name === undefined) continue;
    for (const posting of postings) {
      if (posting.account !== 'receivable' || posting.n !== n) continue;
      // The money of a refund that failed was paid once. It can be for another invoice than the refund was.
      const { refundedMinor = 0 } = after;
      const failedMinor =
        kind === 'refund_failed' ? Math.max(0, Math.min(refundedMinor, -posting.amountMinor)) : 0;
      add('refundedMinor', -failedMinor);
      add(name, (raises(name) ? -posting.amountMinor : posting.amountMinor) - failedMinor);
    }
  }
  return Object.keys(after).length === 0 ? undefined : after;
}

/** The sum that settles an invoice, in minor units: what is due of it is its total less this. */
export function settledMinor({
  creditNotedMinor = 0,
  cancelledMinor = 0,
  releasedMinor = 0,
  carriedMinor = 0,
  ...others
}: Settled = {}): number {
  const waivedMinor = creditNotedMinor + cancelledMinor + givenUpMinor(others);
  return keptMinor(others) + waivedMinor - releasedMinor - carriedMinor;
}

/** The amount that is given up of an invoice, with and without its tax, in minor units. */
export const givenUpMinor = ({ badDebtMinor = 0, writtenOffMinor = 0 }: Settled = {}): number =>
  badDebtMinor + writtenOffMinor;

/** The money that an invoice has received and not given back, in minor units: payments and credit. */
export const keptMinor = ({ paidMinor = 0, refundedMinor = 0, fromCreditMinor = 0 }: Settled = {}): number =>
  paidMinor - refundedMinor + fromCreditMinor;

interface SettledInvoice {
  readonly n: number;
  readonly currency: string;
  readonly settled?: Settled | undefined;
}

/**
 * The entries that give up an amount of an uncollectible invoice. The tax of its total is given up once, and a debt that it asks for beside
 * its total has none.
 *
 * @param keepsTax whether the seller keeps owing the tax.
 */
export function givenUp(
  invoice: SettledInvoice & { readonly totalMinor: number },
  amountMinor: number,
  keepsTax: boolean,
): Entry[] {
  const { totalMinor, settled: { creditNotedMinor = 0, cancelledMinor = 0, badDebtMinor = 0 } = {} } =
    invoice;
  const taxedMinor = Math.max(0, totalMinor - creditNotedMinor - cancelledMinor - badDebtMinor);
  const badMinor = keepsTax ? 0 : Math.min(amountMinor, taxedMinor);
  return moving([
    waived('bad_debt', invoice, badMinor),
    waived('write_off', invoice, amountMinor - badMinor),
  ]);
}

/** The entries after which an amount is owed again that was given up: what has its tax first. */
export function reinstated(invoice: SettledInvoice, amountMinor: number): Entry[] {
  const badMinor = Math.min(amountMinor, invoice.settled?.badDebtMinor ?? 0);
  return moving([
    owedAgain('bad_debt', invoice, badMinor),
    owedAgain('write_off', invoice, amountMinor - badMinor),
  ]);
}

/** The entries that undo the end of an invoice that was closed: what was cancelled or given up is owed again. */
export function reopened(invoice: SettledInvoice): Entry[] {
  const { cancelledMinor = 0 } = invoice.settled ?? {};
  const cancelled = moving([owedAgain('cancellation', invoice, cancelledMinor)]);
  return [...cancelled, ...reinstated(invoice, givenUpMinor(invoice.settled))];
}

const moving = (entries: readonly Entry[]) => entries.filter(({ postings }) => postings.length > 0);

/** The entries with which the client's credit pays what is due of an invoice: what it gave to the credit goes back first. */
export function takenFromCredit(
  invoice: { readonly n: number; readonly currency: string; readonly settled: Settled | undefined },
  dueMinor: number,
): Entry[] {
  const { n, currency, settled: { releasedMinor = 0 } = {} } = invoice;
  const backMinor = Math.min(dueMinor, releasedMinor);
  const undo = { from: receivable(n), to: credit, amountMinor: dueMinor - backMinor };
  return [release(invoice, -backMinor), transfer('carry_over', { currency }, undo)];
}
