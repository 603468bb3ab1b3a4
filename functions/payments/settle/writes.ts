/** The writes of a payment, in the transaction of its subscription's change. */

import type { Invoice } from '../../invoices/invoice.ts';
import type { Entry } from '../../ledger/entry.ts';
import { journalWrites } from '../../ledger/journal-store.ts';
import type { Payment, PaymentChange } from '../../ledger/payment.ts';
import { type InvoiceOfN, paymentEvents } from '../../ledger/payment-change.ts';
import type { MoreWrites } from '../../subscriptions/commands/change-writes-store.ts';
import type { Write } from '../../subscriptions/commands/subscription-store.ts';
import type { Change } from '../../subscriptions/machine/decide.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';
import { settlementDeps } from './event.ts';

const deps = settlementDeps;

/** A payment before it is placed, and what is written with it. */
export interface PendingPayment {
  readonly previous: Payment | undefined;
  readonly base: Omit<Payment, 'eventCount' | 'revision' | 'updatedAtMs'>;
  /** Further writes, by the subscription as the change leaves it. */
  readonly writes: (next?: Subscription) => readonly Write[];
  readonly announced: readonly ('received' | 'reinstated' | 'refund_failed')[];
  /** The client that the payment is for, when the seller decides it; otherwise that of the placement. */
  readonly owner?: Pick<Payment, 'externalId' | 'subscriptionId'>;
  /** The answer that a repeated request gets, by the subscription as the change leaves it. */
  readonly answered?: (next: Subscription) => Payment['answered'];
}

/** The writes and events of a payment's change, for the transaction of its subscription's change. */
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

/** The subscription of a payment, if it has one. */
export async function subscriptionOfPayment({
  applicationId,
  externalId,
  subscriptionId,
}: Payment): Promise<Subscription | undefined> {
  if (externalId === undefined || subscriptionId === undefined) return undefined;
  const { subscriptions } = await deps.subscriptions.getWithClient(applicationId, externalId, [
    subscriptionId,
  ]);
  return subscriptions[0];
}

/** The invoices of a change, as a payment names them. The change has those that it issued. */
export function invoicesOfChange(
  { issued, next: { externalId, subscriptionId } }: Pick<Change, 'issued' | 'next'>,
  invoices: readonly Invoice[],
): InvoiceOfN {
  return (n) => {
    const invoice = [...issued, ...invoices].find(
      (one) => one.n === n && one.subscriptionId === subscriptionId,
    );
    if (invoice === undefined) throw new Error('The invoice of a payment was not read');
    return { invoiceId: invoice.invoiceId, number: invoice.number, externalId, subscriptionId };
  };
}
