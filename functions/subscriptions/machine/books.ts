import { dueMinor } from '../../invoices/due.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import {
  credit,
  creditedMinor,
  type Entry,
  type Posting,
  postedMinor,
  receivable,
  release,
  transfer,
  waived,
} from '../../ledger/entry.ts';
import { givenUp, settledAfter } from '../../ledger/settled.ts';
import { defined } from '../../shared/contract/defined.ts';
import type { MailFacts, MoneyCause } from '../record/outbox-entry.ts';
import type { OpenInvoice } from '../record/subscription.ts';
import type { PaymentOfEvent } from '../record/timeline-entry.ts';
import { closeCheckouts, type Draft, update } from './draft.ts';
import type { ReceivedMoney } from './event.ts';

/**
 * Uses the client's credit for an open invoice.
 *
 * @returns the open invoice. One that is covered stays open until a caller settles it.
 */
export function useCredit(draft: Draft, n: number): OpenInvoice {
  const open = openInvoice(draft, n);
  const { currency } = open;
  const amountMinor = Math.min(dueMinor(open), creditLeft(draft, currency));
  if (amountMinor <= 0) return open;
  book(draft, transfer('credit', { currency }, { from: receivable(n), to: credit, amountMinor }));
  return openInvoice(draft, n);
}

export function openInvoice({ next }: Pick<Draft, 'next'>, n: number): OpenInvoice {
  const open = next.openInvoices.find((invoice) => invoice.n === n);
  if (open === undefined) throw new Error(`Invoice ${n} is not open`);
  return open;
}

/** Adds entries to the ledger, and their amounts to the invoices that they are about. */
export function book(draft: Draft, ...entries: readonly Entry[]): void {
  const { next, books, issued } = draft;
  for (const one of entries) {
    if (one.postings.length === 0) continue;
    books.push(one);
    const ns = one.postings.flatMap((posting) => (posting.account === 'receivable' ? [posting.n] : []));
    for (const n of ns) {
      const invoice = issued.find((candidate) => candidate.n === n);
      if (invoice === undefined) update(draft, { n });
      else settle(invoice, n, one);
    }
    next.openInvoices = next.openInvoices.map((open) => {
      if (!ns.includes(open.n)) return open;
      const after = withPart(open, one);
      settle(after, open.n, one);
      return after;
    });
  }
}

function settle(invoice: Pick<OpenInvoice, 'settled'>, n: number, one: Entry): void {
  const settled = settledAfter(invoice.settled, n, [one]);
  if (settled === undefined) delete invoice.settled;
  else invoice.settled = settled;
}

/** The open invoice with what an entry gives it of a payment, or takes from it. */
function withPart(open: OpenInvoice, { paymentId, postings }: Entry): OpenInvoice {
  const { parts = [], ...rest } = open;
  const movedMinor = postings.reduce(
    (sum, posting) =>
      posting.account === 'receivable' && posting.n === open.n ? sum - posting.amountMinor : sum,
    0,
  );
  if (paymentId === undefined) return { ...open };
  const former = parts.find((part) => part.paymentId === paymentId)?.amountMinor ?? 0;
  const others = parts.filter((part) => part.paymentId !== paymentId);
  const amountMinor = former + movedMinor;
  const after = amountMinor > 0 ? [...others, { paymentId, amountMinor }] : others;
  return after.length > 0 ? { ...rest, parts: after } : rest;
}

/** The amount due of an invoice after the entries so far, in minor units. Below 0, it has received too much. */
export function dueAfter(
  { books, next }: Pick<Draft, 'books' | 'next'>,
  invoice: Pick<Invoice, 'n' | 'totalMinor' | 'settled'>,
): number {
  const { n, totalMinor } = invoice;
  const open = next.openInvoices.find((one) => one.n === n);
  return dueMinor(open ?? { totalMinor, ...defined({ settled: settledAfter(invoice.settled, n, books) }) });
}

/** The client's credit after the entries so far, in minor units. Below 0, a gateway took back what was spent. */
export function creditLeft({ client, books }: Pick<Draft, 'client' | 'books'>, currency: string): number {
  return (client.credit?.[currency] ?? 0) + creditedMinor(books, currency);
}

/**
 * The credit of the client as a mail about an end states it, in minor units: 0 only beside what became credit, which something else has used.
 */
export function statedCredit(
  draft: Pick<Draft, 'client' | 'books'>,
  { currency, creditMinor }: Pick<MailFacts, 'currency' | 'creditMinor'>,
): number | undefined {
  const leftMinor = creditLeft(draft, currency);
  return leftMinor === 0 && creditMinor === undefined ? undefined : leftMinor;
}

/**
 * The amount that the change makes credit of the client, in the currency of the plan, before an invoice that it issues uses it;
 * undefined for nothing.
 */
export function creditGained({
  books,
  issued,
  next: { plan },
}: Pick<Draft, 'books' | 'issued' | 'next'>): number | undefined {
  const used = issued.map(({ settled }) => (settled?.fromCreditMinor ?? 0) - (settled?.carriedMinor ?? 0));
  const gained = used.reduce((sum, minor) => sum + minor, creditedMinor(books, plan.currency));
  return gained > 0 ? gained : undefined;
}

/** Whether the term of an open invoice has begun without its payment: it is owed, whatever becomes of the subscription. */
export const isGranted = ({ planOnPayment, owedFromMs = 0 }: OpenInvoice, atMs: number): boolean =>
  planOnPayment === undefined && owedFromMs <= atMs;

/**
 * Closes an open invoice that nobody asks for any more. What it has received is credit of the client again, unless its term is
 * owed; the rest is given up, or cancelled when the invoice is void.
 */
export function closeInvoice(draft: Draft, n: number, status: 'void' | 'uncollectible'): void {
  const { next, atMs } = draft;
  const open = openInvoice(draft, n);
  const { parts = [], settled, currency } = open;
  update(draft, { n, status, closedAtMs: atMs });
  if (status === 'void' || !isGranted(open, atMs)) {
    const back = { from: credit, to: receivable(n) };
    for (const { paymentId, amountMinor } of parts)
      book(draft, transfer('allocation', { currency, paymentId }, { ...back, amountMinor }));
    book(draft, transfer('credit', { currency }, { ...back, amountMinor: settled?.fromCreditMinor ?? 0 }));
    returnCarried(draft, n);
  }
  const closed = openInvoice(draft, n);
  const leftMinor = dueMinor(closed);
  const keepsTax = next.seller.tax?.badDebts === 'keep';
  book(
    draft,
    ...(status === 'void'
      ? [waived('cancellation', closed, leftMinor)]
      : givenUp(closed, leftMinor, keepsTax)),
  );
  closeCheckouts(draft, [closed]);
  next.openInvoices = next.openInvoices.filter((invoice) => invoice.n !== n);
}

/**
 * Undoes what an invoice moved between the client's credit and itself beside its total: a debt that it asks for is owed by the client
 * again, and what a credit note released of it goes back. No more than its total is cancelled then.
 */
function returnCarried(draft: Draft, n: number): void {
  const { currency, settled: { carriedMinor = 0, releasedMinor = 0 } = {} } = openInvoice(draft, n);
  book(
    draft,
    transfer('carry_over', { currency }, { from: credit, to: receivable(n), amountMinor: -carriedMinor }),
    release({ n, currency }, -releasedMinor),
  );
  // A payment had paid the debt as well.
  const excessMinor = -dueMinor(openInvoice(draft, n));
  if (excessMinor > 0) book(draft, release({ n, currency }, excessMinor));
}

/** Books the entries of an event about a payment. Nothing waits for the payment any more. */
export function receiveMoney(draft: Draft & ReceivedMoney): void {
  book(draft, ...draft.booked);
  endProcessing(draft);
}

/** The amount of a payment that reaches invoices and credit by a change: all of it, or what a gateway or a bank gives back. In minor units. */
export const receivedMinor = ({ booked, payment }: ReceivedMoney): number =>
  postedMinor(booked, payment.currency, ({ account }) => sources.includes(account));

const sources: readonly Posting['account'][] = ['bank', 'gateway', 'unallocated'];

/** Why the money of an event came back; undefined for a payment that arrives. */
export function causeOf({ booked }: ReceivedMoney): MoneyCause | undefined {
  const kinds = booked.map(({ kind }) => kind);
  return kinds.find((kind) => kind === 'refund_failed' || kind === 'dispute_won');
}

/** The part of a payment that became credit of the client, in minor units; undefined for nothing. */
export function overpaidMinor({ booked, payment }: ReceivedMoney): number | undefined {
  const overpaid = creditedMinor(booked, payment.currency);
  return overpaid > 0 ? overpaid : undefined;
}

/** Nothing waits for a payment any more that has arrived or failed. */
export function endProcessing({ next, payment }: Draft & { readonly payment: PaymentOfEvent }): void {
  next.processing = next.processing.filter(({ paymentId }) => paymentId !== payment.paymentId);
}
