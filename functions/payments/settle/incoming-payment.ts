import type { Payment } from '../../ledger/payment.ts';
import type { OutboxEntry } from '../../subscriptions/record/outbox-entry.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';
import type { Actor } from '../../subscriptions/record/timeline-entry.ts';

export type PaymentTarget =
  | { readonly invoiceId: string }
  | { readonly subscriptionId: string }
  /** A reference number in canonical form, or a text that is none. */
  | { readonly reference: string }
  /** None: the payment waits, with the text of its payer. */
  | { readonly waitingText: string };

/** Money that someone reports. A payment is recorded once, by its source and its id there. */
export interface IncomingPayment
  extends Readonly<Pick<Payment, ReportedField>>,
    Readonly<Partial<Pick<Payment, 'payer' | 'transferIds'>>> {
  readonly target: PaymentTarget;
  readonly by: Actor;
}

type ReportedField =
  | 'applicationId'
  | 'source'
  | 'sourceId'
  | 'method'
  | 'amountMinor'
  | 'currency'
  | 'valueAtMs';

/** A payment that is recorded. `unchanged`: it was recorded before. */
export interface RecordedPayment {
  readonly kind: 'changed' | 'unchanged';
  readonly payment: Payment;
  readonly subscription?: Subscription;
  readonly outbox?: readonly OutboxEntry[];
}

export interface Conflict {
  readonly kind: 'conflict';
}

/** Nothing is written, because of the payment itself. */
export interface Refused<R extends string> {
  readonly kind: 'refused';
  readonly reason: R;
}
