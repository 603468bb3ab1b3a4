import type { Banking, Invoice, PlanSnapshot } from '../invoices/invoice.ts';
import type { BillingPolicy } from './policy.ts';
import type { Anchor } from './term.ts';

export const statuses = [
  'trialing',
  'active',
  'pending',
  'past_due',
  'cancelled',
  'expired',
  'paused',
] as const;
export type Status = (typeof statuses)[number];

/** A client has at most one subscription in one of these. */
export const runningStatuses: readonly Status[] = ['trialing', 'active', 'past_due', 'paused'];

/** Steps that come with time, each named like the stage that waits for it. */
export type Step =
  | 'trial_reminder'
  | 'trial_end'
  | 'payment_lapse'
  | 'renewal_invoice'
  | 'term_end'
  | 'dunning_reminder'
  | 'dunning_end'
  | 'resume';

/** An invoice that waits for its payment, as the subscription remembers it. */
export interface OpenInvoice {
  n: number;
  invoiceId: string;
  totalMinor: number;
  currency: string;
  /** It has a checkout at the gateway that has to be closed with it. */
  atStripe?: boolean;
  /** What its payment buys; undefined when its term was given already and the payment then taken back. */
  planOnPayment?: PlanSnapshot;
}

/** A subscription as the table keeps it. Times in epoch milliseconds. */
export interface Subscription {
  subscriptionId: string;
  applicationId: string;
  externalId: string;
  /** `SUB-` and eight characters, the last one a check. */
  referenceNumber: string;
  status: Status;
  /** As it was sold for the current term. */
  plan: PlanSnapshot;
  policy: BillingPolicy;
  /** The application, as invoices and mails name it. */
  seller: { name: string; banking?: Banking };
  gateway: Invoice['gateway'];
  /** Where the subscriber returns to from a payment page. */
  successUrl?: string;
  cancelUrl?: string;
  /** Where he who created it reached the API: links in mails begin so. */
  baseUrl: string;
  autoRenew: boolean;
  cancelAtPeriodEnd: boolean;
  /** Nobody is entitled before, but for the rest of a trial. */
  startAtMs: number;
  /** What is left of the trial that this subscription took the place of. */
  trialRemainder?: { fromMs: number; untilMs: number };
  trialStartMs?: number;
  trialEndMs?: number;
  /** The trial's reminder and invoice were sent. */
  trialReminderSent?: boolean;
  /** The paid term; `termEndMs` is the n-th end from the anchor. */
  billingAnchor?: Anchor;
  termIndex?: number;
  termStartMs?: number;
  termEndMs?: number;
  /** The invoice of the next term was issued. */
  renewalInvoiced?: boolean;
  pausedAtMs?: number;
  resumesAtMs?: number;
  /** While past due: since when, and how many reminders are done with. */
  dunning?: { fromMs: number; reminders: number };
  /** While pending: when it gives up waiting for the payment. */
  paymentDeadlineMs?: number;
  /** How many invoices there are; their numbers count up to it. */
  invoiceCount: number;
  openInvoices: readonly OpenInvoice[];
  endedAtMs?: number;
  endReason?: EndReason;
  createdAtMs: number;
  updatedAtMs: number;
  /** Counts the writes; a write is bound to the one it read. */
  revision: number;
  /** What waits: it names the execution that is in charge, and one of another version does nothing. */
  timer?: Timer;
  timerVersion: number;
}

export type EndReason =
  | 'cancelled'
  | 'period_over'
  | 'superseded'
  | 'replaced'
  | 'trial_over'
  | 'unpaid'
  | 'not_renewed';

/** The next step and when it is due. */
export interface Timer {
  step: Step;
  dueAtMs: number;
}

/** Who caused a change. */
export type Actor = 'application' | 'timer' | 'gateway' | 'subscriber';

/** An entry of a subscription's timeline. */
export interface TimelineEntry {
  revision: number;
  event: string;
  /** When it took effect: a step that ran late counts from when it was due. */
  atMs: number;
  by: Actor;
  from?: Status;
  to: Status;
  /** Invoices that it touched, by number. */
  invoices?: readonly string[];
  /** A payment that bought nothing: it has to be given back. */
  unapplied?: { invoice: string; paymentId: string };
}
