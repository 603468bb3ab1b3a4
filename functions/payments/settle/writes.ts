import type { Invoice } from '../../invoices/invoice.ts';
import type { Entry } from '../../ledger/entry.ts';
import { journalWrites } from '../../ledger/journal-store.ts';
import type { Payment, PaymentChange } from '../../ledger/payment.ts';
import {
  changedPayment,
  type InvoiceOfN,
  type MovedMoney,
  movedPayment,
  type PaymentFields,
  paymentEvents,
} from '../../ledger/payment-change.ts';
import { defined } from '../../shared/contract/defined.ts';
import { readTogether } from '../../subscriptions/commands/subscription-queries.ts';
import type { MoreWrites, Write } from '../../subscriptions/commands/subscription-store.ts';
import type { Change, Outcome } from '../../subscriptions/machine/decide.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';
import { settlementDeps } from './event.ts';
import type { Conflict, RecordedPayment, Refused } from './incoming-payment.ts';

const deps = settlementDeps;

/** A payment before its money moves, and what is written with it. */
export interface PendingPayment {
  readonly previous: Payment | undefined;
  readonly base: PaymentFields;
  /** Further writes, by the subscription as the change leaves it. */
  readonly writes: (next?: Subscription) => readonly Write[];
  readonly announced: PaymentChange['announced'];
  /** The answer that a repeated request gets, by the subscription as the change leaves it. */
  readonly answered?: (next: Subscription) => Payment['answered'];
}

/**
 * Writes a payment after what an event of a subscription books of it.
 *
 * @param invoices that the event moves money of.
 * @param write writes the event, and this payment in its transaction.
 * @returns `refused` when the subscription refuses the event.
 */
export async function writeMoved(
  pending: PendingPayment,
  invoices: readonly Invoice[],
  write: (more: (change: Change) => MoreWrites) => Promise<Outcome | { readonly kind: 'refused' }>,
): Promise<RecordedPayment | Conflict | Refused<'unfit'>> {
  let payment: PaymentChange | undefined;
  const outcome = await write((change) => {
    const { books: entries, next } = change;
    const moved = { entries, invoiceOf: invoicesOfChange(change, invoices), owner: next };
    payment = paymentAfter(pending, moved, pending.answered?.(next));
    return paymentWrites(payment, pending.writes(next));
  });
  if (outcome.kind === 'conflict') return outcome;
  if (outcome.kind !== 'changed' || payment === undefined) return { kind: 'refused', reason: 'unfit' };
  const { next, outbox } = outcome.change;
  return { kind: 'changed', payment: payment.next, subscription: next, outbox };
}

/** Writes a payment after entries that no subscription takes part in. */
export async function writeMovedAlone(
  pending: PendingPayment,
  entries: readonly Entry[],
): Promise<RecordedPayment | Conflict> {
  const change = paymentAfter(pending, { entries, invoiceOf: noInvoice, owner: undefined });
  const isWritten = await writePayment(change, pending.writes(), entries);
  return isWritten ? { kind: 'changed', payment: change.next } : { kind: 'conflict' };
}

function paymentAfter(
  { previous, base, announced }: PendingPayment,
  moved: MovedMoney,
  answered?: Payment['answered'],
): PaymentChange {
  const fields = { ...movedPayment(base, moved), ...defined({ answered }) };
  return changedPayment(previous, fields, announced, deps.clock.nowMs());
}

/** For entries that move money of no invoice. @throws Error for one that does. */
export const noInvoice: InvoiceOfN = () => {
  throw new Error('An entry moves money of an invoice');
};

export function paymentWrites(change: PaymentChange, writes: readonly Write[]): MoreWrites {
  const { next } = change;
  return {
    writes: [...writes, deps.payments.write(change)],
    events: paymentEvents(change),
    source: { applicationId: next.applicationId, nowMs: next.updatedAtMs },
  };
}

/** Writes the change of a payment that no subscription takes part in, and its entries. */
export function writePayment(
  change: PaymentChange,
  writes: readonly Write[] = [],
  entries: readonly Entry[] = [],
): Promise<boolean> {
  const { applicationId, externalId, subscriptionId, updatedAtMs: nowMs } = change.next;
  const record = { externalId, subscriptionId, numbers: {}, entries };
  const journal = journalWrites(applicationId, record, nowMs);
  return deps.subscriptions.write([], [], undefined, () => paymentWrites(change, [...writes, ...journal]));
}

/** A payment that is as it was, with its subscription if it has one. */
export async function unchanged(payment: Payment): Promise<RecordedPayment> {
  const { applicationId, externalId, subscriptionId } = payment;
  if (externalId === undefined || subscriptionId === undefined) return { kind: 'unchanged', payment };
  const read = await readTogether({ applicationId, externalId, subscriptionId });
  return { kind: 'unchanged', payment, ...defined({ subscription: read?.subscription }) };
}

/** The invoices of a change, as a payment names them. The change has those that it issued. */
function invoicesOfChange(
  { issued, updated, next: { externalId, subscriptionId } }: Pick<Change, 'issued' | 'updated' | 'next'>,
  invoices: readonly Invoice[],
): InvoiceOfN {
  return (n) => {
    const invoice = [...issued, ...invoices].find(
      (one) => one.n === n && one.subscriptionId === subscriptionId,
    );
    if (invoice === undefined) throw new Error('The invoice of a payment was not read');
    const { invoiceId, number, status: former } = invoice;
    const { status = former } = updated.find((one) => one.n === n) ?? {};
    const isPaid = status === 'paid' || undefined;
    return { invoiceId, number, externalId, subscriptionId, ...defined({ isPaid }) };
  };
}
