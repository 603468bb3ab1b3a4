import type { Status } from './subscription.ts';

/** An entry of a subscription's timeline. */
export interface TimelineEntry {
  revision: number;
  event: string;
  /** When the event took effect: for a step that ran late, when it was due. */
  atMs: number;
  by: Actor;
  from?: Status;
  to: Status;
  /** Numbers of the invoices that the event issued or updated. */
  invoices?: readonly string[];
  /** Numbers of the credit notes that the event issued. */
  creditNotes?: readonly string[];
  /** The payment that the event is about. */
  payment?: PaymentOfEvent;
  /** A payment that waits for a decision, and the number of the invoice that it named. */
  unapplied?: { invoice?: string; paymentId: string };
  /** The credit that the seller sent back. */
  paidOut?: CreditPaidOut;
  /** Why the application changed the subscription, in its words. */
  reason?: string;
}

/** Who caused a change. */
export type Actor = 'application' | 'timer' | 'gateway' | 'subscriber';

/** Credit of a client that the seller sent back. */
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
