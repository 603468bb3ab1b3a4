import type { Payment, PaymentMethod, PaymentSource } from '../../ledger/payment.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';
import type { Actor } from '../../subscriptions/record/timeline-entry.ts';

/** The target that a payment names. */
export type PaymentTarget =
  | { readonly invoiceId: string }
  | { readonly subscriptionId: string }
  /** A reference number in canonical form, or a text that is none. */
  | { readonly reference: string }
  /** None: the payment waits, with the text of its payer. */
  | { readonly waitingText: string };

/** Money that someone reports. Amounts in minor units, times in epoch milliseconds. */
export interface IncomingPayment {
  readonly applicationId: string;
  readonly source: PaymentSource;
  /** The id of the payment at its source. A payment is recorded once. */
  readonly sourceId: string;
  readonly method: PaymentMethod;
  readonly amountMinor: number;
  readonly currency: string;
  /** When the money moved. It decides whether the payment is in time. */
  readonly valueAtMs: number;
  readonly target: PaymentTarget;
  readonly payer?: { readonly name?: string; readonly iban?: string };
  /** The ids of a bank transfer, by which a reversal names it. */
  readonly transferIds?: readonly string[];
  readonly by: Actor;
}

/** A payment that is recorded. `unchanged`: it was recorded before. */
export interface RecordedPayment {
  readonly kind: 'changed' | 'unchanged';
  readonly payment: Payment;
  /** The subscription after the payment, when one was found. */
  readonly subscription?: Subscription;
}

/** Nothing is written: another write came first. The caller reads again. */
export interface Conflict {
  readonly kind: 'conflict';
}

/** Nothing is written, because of the payment itself. */
export interface Refused<R extends string> {
  readonly kind: 'refused';
  readonly reason: R;
}
