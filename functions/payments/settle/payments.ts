import { ApiError } from '../../shared/contract/errors.ts';
import type { IncomingPayment, PaymentTarget, RecordedPayment } from './incoming-payment.ts';
import { receivePayment } from './receive.ts';
import { applyWaiting, type PaymentToMove, recordReturn } from './waiting.ts';

export type { IncomingPayment, PaymentTarget, RecordedPayment };

/** Payments of an application: recorded once, applied to what is open, or kept for a decision. */
export const payments = {
  /**
   * Records a payment once, and applies it: to the invoice that it names, then to the oldest open invoices of the
   * subscription. What is left becomes credit of the client. Money that fits nothing is `unapplied`.
   *
   * @throws ApiError `conflict` after too many concurrent writes, and when the payment was recorded with another amount.
   * `not_found` for an invoice or a subscription that the application does not have.
   */
  receive: async (payment: IncomingPayment): Promise<RecordedPayment> => {
    const received = await receivePayment(payment);
    if (received.kind === 'refused') throw new ApiError('not_found');
    return received;
  },
  /**
   * Applies what waits of an unapplied payment. Without an open invoice, it becomes credit of the client.
   * @throws ApiError `not_found`, `conflict`; `invalid_transition` when nothing waits, or when it does not fit the target.
   */
  apply: (payment: PaymentToMove, target: PaymentTarget): Promise<RecordedPayment> =>
    applyWaiting(payment, target),
  /**
   * Records that the seller sent money back: what waits of a payment, else what became credit and is not used.
   * A repeat of a payment that was returned changes nothing.
   * @param reason in the words of the seller, for the payment and the timeline.
   * @throws ApiError `not_found`, `conflict`; `invalid_transition` when nothing can be returned.
   */
  recordReturn: (payment: PaymentToMove, reason?: string): Promise<RecordedPayment> =>
    recordReturn(payment, reason),
};
