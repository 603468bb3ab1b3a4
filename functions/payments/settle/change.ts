/** Changes of payments, and the events that say so. */
import { defined } from '../../shared/contract/defined.ts';
import type { EventOf } from '../../shared/contract/event-types.ts';
import type { NewEvent } from '../../shared/events/events-write.ts';
import { type Payment, type PaymentChange, type PaymentStatus, unappliedMinor } from '../record/payment.ts';
import { toPaymentResponse } from '../record/present.ts';

/** The change of a payment to these fields. A field that is `undefined` is removed. */
export function changedPayment(
  previous: Payment | undefined,
  fields: Omit<Payment, 'eventCount' | 'revision' | 'updatedAtMs'>,
  announced: readonly EventOf<'payment'>[],
  nowMs: number,
): PaymentChange {
  const next: Payment = {
    ...defined(fields),
    updatedAtMs: nowMs,
    eventCount: (previous?.eventCount ?? 0) + announced.length,
    revision: (previous?.revision ?? 0) + 1,
  } as Payment;
  if (unappliedMinor(next) < 0) throw new Error('More of a payment is used than it has');
  return { previous, next, announced };
}

/** The events of a change, which all show the payment as the change leaves it. */
export function paymentEvents({ next, announced }: PaymentChange): NewEvent[] {
  const first = next.eventCount - announced.length + 1;
  return announced.map((name, i) => ({
    type: `payment.${name}`,
    sequence: first + i,
    data: toPaymentResponse(next),
  }));
}

/** The state of a payment whose money has arrived, by where the money is. */
export function settledStatus(
  payment: Pick<Payment, 'amountMinor' | 'allocations' | 'creditedMinor' | 'returnedMinor'>,
  paysInvoice: boolean,
): PaymentStatus {
  const { allocations, creditedMinor, returnedMinor } = payment;
  if (unappliedMinor(payment) > 0) return 'unapplied';
  if (allocations.length > 0) return paysInvoice ? 'applied' : 'partial';
  if (creditedMinor > 0) return 'credit';
  return returnedMinor > 0 ? 'returned' : 'applied';
}
