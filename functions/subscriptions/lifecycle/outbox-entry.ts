import type { BillingCycle } from '../plans/plan.ts';

/** What a mail is about. */
export type MailTemplate =
  /** The first invoice, of a subscription that waits for its payment. */
  | 'invoice'
  /** The trial ends soon; with the invoice of the first term. */
  | 'trial_reminder'
  | 'trial_ended'
  /** Paid: the subscription runs (again). */
  | 'activated'
  /** The invoice of the next term. */
  | 'renewal'
  | 'dunning_reminder'
  | 'expired'
  | 'cancelled'
  | 'payment_reversed';

/** What a mail says, as it was when it became due. Amounts in minor units, times in epoch milliseconds. */
export interface MailFacts {
  /** The application that sells. */
  seller: string;
  customerName?: string;
  referenceNumber: string;
  planName: string;
  priceMinor: number;
  currency: string;
  billingCycle: BillingCycle;
  /** The sum of all that is open, for reminders. */
  openMinor?: number;
  trialEndMs?: number;
  /** When the subscription was or becomes active, and until when it is paid. */
  termStartMs?: number;
  termEndMs?: number;
  /** Reminders: which one of how many, until when access is full, and when the subscription ends unpaid. */
  reminder?: { index: number; of: number; graceEndsMs: number; endsMs: number };
  /** Of an end: what led to it, and when access ended. */
  endedAtMs?: number;
  reason?: 'trial_over' | 'unpaid' | 'not_renewed' | 'cancelled' | 'period_over';
}

/** What a mail is made of. */
export interface Mail {
  template: MailTemplate;
  to: string;
  facts: MailFacts;
  /** The invoice that it carries: as PDF, and its page to pay on. */
  invoiceN?: number;
}

/**
 * Something to be done once outside the table: a mail to send, or the gateway's checkout of an invoice to close. It is
 * written in one transaction with what it follows from, so exactly once. `entryId` is `template` or `template#step`.
 */
export type OutboxEntry = OutboxState &
  (({ kind: 'mail' } & Mail) | { kind: 'close_checkout'; invoiceN: number });

interface OutboxState {
  entryId: string;
  applicationId: string;
  externalId: string;
  subscriptionId: string;
  createdAtMs: number;
  /** Until then whoever leased it may do it, and nobody else. */
  leasedUntilMs: number;
  attempts: number;
  doneAtMs?: number;
  /** Given up, or not needed any more. */
  droppedAtMs?: number;
}
