/** The payments whose parts a change gives back: the invoice that had received them was closed unpaid. */

import type { Payment, PaymentChange } from '../../ledger/payment.ts';
import {
  changedPayment,
  type InvoiceOfN,
  movedPayment,
  type PaymentFields,
  paymentEvents,
} from '../../ledger/payment-change.ts';
import { paymentStore } from '../../ledger/payment-store.ts';
import type { NewEvent } from '../../shared/events/events-write.ts';
import type { Write } from '../../shared/table/table.ts';
import type { Change } from '../machine/decide.ts';

/**
 * The payments of which changes move money, other than those that their events are about.
 *
 * @returns undefined after a concurrent write, which released a part before.
 */
export async function releasedPayments(changes: readonly Change[]): Promise<Payment[] | undefined> {
  const known = changes.map(({ entry }) => entry.payment?.paymentId);
  const ids = changes.flatMap(({ next: { applicationId }, books }) =>
    books.flatMap(({ paymentId }) =>
      paymentId === undefined || known.includes(paymentId) ? [] : [{ applicationId, paymentId }],
    ),
  );
  const unique = new Map(ids.map((one) => [one.paymentId, one]));
  const payments = await Promise.all(
    [...unique.values()].map(({ applicationId, paymentId }) => paymentStore.get(applicationId, paymentId)),
  );
  const found = payments.filter((payment) => payment !== undefined);
  return found.every((payment) => changes.every((change) => hasParts(payment, change))) ? found : undefined;
}

/** Whether the payment has its parts of all invoices from which a change takes it. */
const hasParts = (payment: Payment, { books, next: { subscriptionId } }: Change) =>
  books
    .filter(({ paymentId }) => paymentId === payment.paymentId)
    .flatMap(({ postings }) => postings)
    .every(
      (posting) =>
        posting.account !== 'receivable' ||
        payment.allocations.some((one) => one.n === posting.n && one.subscriptionId === subscriptionId),
    );

/** The writes of these payments, and their events. What was a part of an invoice is credit of the client. */
export function releasedPaymentWrites(
  changes: readonly Change[],
  payments: readonly Payment[],
): { writes: Write[]; events: NewEvent[] } {
  const changed = payments.map((payment) => releasedPayment(changes, payment));
  return { writes: changed.map((one) => paymentStore.write(one)), events: changed.flatMap(paymentEvents) };
}

function releasedPayment(changes: readonly Change[], payment: Payment): PaymentChange {
  const nowMs = Math.max(...changes.map(({ next }) => next.updatedAtMs));
  let fields: PaymentFields = payment;
  for (const { books: entries, next } of changes) {
    const moved = { entries, invoiceOf: former(fields, next), owner: next };
    fields = movedPayment(fields, moved);
  }
  return changedPayment(payment, fields, ['applied'], nowMs);
}

/** The invoice as the payment names it: money only leaves it. */
const former =
  ({ allocations }: PaymentFields, { subscriptionId }: Change['next']): InvoiceOfN =>
  (n) => {
    const allocation = allocations.find((one) => one.n === n && one.subscriptionId === subscriptionId);
    if (allocation === undefined) throw new Error(`The payment has no part of invoice ${n}`);
    return allocation;
  };
