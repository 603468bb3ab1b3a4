import type { Status } from './subscription.ts';

export interface TimelineEntry extends Partial<Told> {
  revision: number;
  event: string;
  /** When the event took effect: for a step that ran late, when it was due. */
  atMs: number;
  by: Actor;
  to: Status;
}

/** Of an event, as far as it has them. */
interface Told {
  from: Status;
  invoices: readonly string[];
  creditNotes: readonly string[];
  payment: PaymentOfEvent;
  /** A payment that waits for a decision, and the number of the invoice that it named. */
  unapplied: { invoice?: string; paymentId: string };
  paidOut: CreditPaidOut;
  /** Why the application changed the subscription, in its words. */
  reason: string;
}

export type Actor = 'application' | 'timer' | 'gateway' | 'subscriber';

export interface CreditPaidOut {
  amountMinor: number;
  currency: string;
}

/** The payment that an event is about, with its whole amount in minor units. */
export interface PaymentOfEvent {
  /** `pay_...` */
  paymentId: string;
  amountMinor: number;
  currency: string;
}
