import type { Actor, Subscription } from '../lifecycle/subscription.ts';
import type { Payment, PaymentMethod, PaymentSource } from '../payments/payment.ts';

/** What a payment is for. */
export type PaymentTarget =
  | { readonly invoiceId: string }
  | { readonly subscriptionId: string }
  /** A reference number in canonical form, or a text that is none. */
  | { readonly reference: string };

/** Money that someone reports. Amounts in minor units, times in epoch milliseconds. */
export interface IncomingPayment {
  readonly applicationId: string;
  readonly source: PaymentSource;
  /** The id of the payment at its source. A payment is recorded once. */
  readonly sourceId: string;
  readonly method: PaymentMethod;
  readonly amountMinor: number;
  readonly currency: string;
  /** When the money moved. It decides what the payment is in time for. */
  readonly valueAtMs: number;
  readonly target: PaymentTarget;
  readonly payer?: { readonly name?: string; readonly iban?: string };
  readonly by: Actor;
}

/** The result of recording a payment. `repeated`: it was recorded before, and nothing has changed. */
export interface RecordedPayment {
  readonly kind: 'recorded' | 'repeated';
  readonly payment: Payment;
  /** The subscription after the payment, when one was found. */
  readonly subscription?: Subscription;
}

const notBuilt = (): never => {
  throw new Error('Not built yet');
};

/** Payments of an application: recorded once, applied to what is open, or kept for a decision. */
export const payments = {
  /**
   * Records a payment once, and applies it: to the invoice that it names, then to the oldest open invoices of the
   * subscription. What is left becomes credit of the client. Money that fits nothing is `unapplied`.
   *
   * @throws ApiError `conflict` after too many concurrent writes, and when the payment was recorded with another amount.
   */
  receive: (_payment: IncomingPayment): Promise<RecordedPayment> => notBuilt(),
  /**
   * Applies what waits of an unapplied payment.
   * @throws ApiError `not_found`, `conflict`, `invalid_transition`
   */
  apply: (
    _payment: { applicationId: string; paymentId: string; by: Actor },
    _target: PaymentTarget,
  ): Promise<RecordedPayment> => notBuilt(),
  /**
   * Records that the seller sent money back: what waits of a payment, or what became credit and is still there.
   * @throws ApiError `not_found`, `invalid_transition`
   */
  sendBack: (_payment: { applicationId: string; paymentId: string; by: Actor }): Promise<RecordedPayment> =>
    notBuilt(),
};
