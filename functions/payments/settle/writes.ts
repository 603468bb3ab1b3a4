/** The writes of a payment, in the transaction of its subscription's change. */

import type { Invoice } from '../../invoices/invoice.ts';
import type { MoreWrites } from '../../subscriptions/commands/change-writes-store.ts';
import type { Write } from '../../subscriptions/commands/subscription-store.ts';
import type { Change } from '../../subscriptions/machine/decide.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';
import type { Payment, PaymentChange } from '../record/payment.ts';
import { paymentEvents } from './change.ts';
import { settlementDeps } from './event.ts';

const deps = settlementDeps;

/** A payment before it is placed, and what is written with it. */
export interface PendingPayment {
  readonly previous: Payment | undefined;
  readonly base: Omit<Payment, 'eventCount' | 'revision' | 'updatedAtMs'>;
  /** Further writes, by the subscription as the change leaves it. */
  readonly writes: (next?: Subscription) => readonly Write[];
  readonly announced: readonly ('received' | 'reinstated')[];
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

/** Writes the change of a payment that no subscription takes part in. */
export function writePayment(change: PaymentChange, writes: readonly Write[] = []): Promise<boolean> {
  return deps.subscriptions.write([], [], undefined, () => paymentWrites(change, writes));
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

/** The parts of a payment with the ids of their invoices. The change has the invoices that it issued. */
export function allocationsOf(
  parts: readonly { n: number; amountMinor: number }[],
  { issued, next: { subscriptionId } }: Pick<Change, 'issued' | 'next'>,
  invoices: readonly Invoice[],
): Payment['allocations'] {
  return parts.map(({ n, amountMinor }) => {
    const invoice = [...issued, ...invoices].find(
      (one) => one.n === n && one.subscriptionId === subscriptionId,
    );
    if (invoice === undefined) throw new Error('The invoice of a payment was not read');
    return { invoiceId: invoice.invoiceId, number: invoice.number, n, subscriptionId, amountMinor };
  });
}
