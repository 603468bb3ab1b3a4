import type { Invoice, PlanSnapshot, Seller } from '../../invoices/invoice.ts';
import type { TaxSettings } from '../../invoices/tax.ts';
import type { Movement } from './movement.ts';
import type { HeldMail } from './outbox-entry.ts';
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

/** Whether a subscription in this state is over. A late payment can revive one that expired. */
export const hasEnded = (status: Status): boolean => status === 'cancelled' || status === 'expired';

/** A step that becomes due at a time. The stage of the state machine that waits for it has the same name. */
export type Step =
  | 'trial_reminder'
  | 'trial_end'
  | 'payment_reminder'
  | 'payment_lapse'
  | 'renewal_invoice'
  | 'term_end'
  | 'dunning_reminder'
  | 'dunning_end'
  | 'planned_change'
  | 'invoice_due'
  | 'resume';

/** A series of numbers of the seller, over all subscriptions. The numbers of invoices and of credit notes start with their prefix. */
interface NumberSeries {
  invoicePrefix: string;
  creditNotePrefix: string;
}

/** An unpaid invoice, as the subscription keeps it. */
export interface OpenInvoice {
  n: number;
  invoiceId: string;
  totalMinor: number;
  /** The amount received, by payments and from the client's credit. Absent for 0. */
  receivedMinor?: number;
  /** The part of it that came from the client's credit. Below 0: a debt that the invoice asks for. Absent for 0. */
  creditUsedMinor?: number;
  /** After a reversal: what was refunded of it in part before. Nobody owes it. Absent for 0. */
  refundedMinor?: number;
  currency: string;
  /** Whether Stripe may have a checkout for it, which has to be closed together with the invoice. */
  atStripe?: boolean;
  /**
   * The plan of the term that its payment grants; undefined when the term was granted before: after a reversal, and for a
   * change of plan.
   */
  planOnPayment?: PlanSnapshot;
  /** After a reversal: since when the invoice is owed again. */
  owedFromMs?: number;
  /** For a term that was granted before the payment, by a change of plan: when it is overdue. */
  dueAtMs?: number;
}

/** A payment that is under way. The ends of a pending subscription, of a trial and of dunning wait for it. */
interface ProcessingPayment {
  /** `pay_...` */
  paymentId: string;
  /** Until when they wait, epoch milliseconds. */
  untilMs: number;
}

/** A term that is paid or granted. Times in epoch milliseconds, half open. */
export interface PaidTerm {
  fromMs: number;
  untilMs: number;
  /** How long it was paused. Pauses lengthen it, and are not worth anything. Absent for 0. */
  pausedMs?: number;
  /** The price of all of it, in minor units: the value of its rest is a share of it. */
  priceMinor: number;
  /** The plan in it, where it is another one than the plan of the subscription. */
  plan?: PlanSnapshot;
}

/** The charge of an invoice for terms, in minor units, in the terms of the prices of plans. */
export interface Charge {
  n: number;
  /** Until when the invoice pays for terms, epoch milliseconds. */
  untilMs: number;
  amountMinor: number;
}

/** A subscription as stored. Times in epoch milliseconds. */
export interface Subscription {
  subscriptionId: string;
  applicationId: string;
  externalId: string;
  /** `SUB-` and eight characters; the last is a check character. */
  referenceNumber: string;
  status: Status;
  /** The plan as sold for the current term. */
  plan: PlanSnapshot;
  policy: BillingPolicy;
  /**
   * The application as named on invoices and in mails, how it taxes, and its own series of numbers if it has one. Copied
   * with the policy.
   */
  seller: Seller & { tax?: TaxSettings; series?: NumberSeries };
  gateway: Invoice['gateway'];
  /** Where the payment page returns the subscriber to. */
  successUrl?: string;
  cancelUrl?: string;
  /**
   * The URL at which the application reached the API when it created the subscription. Links in mails start
   * with it.
   */
  baseUrl: string;
  autoRenew: boolean;
  cancelAtPeriodEnd: boolean;
  /** Access starts here, except for the remainder of a replaced trial. */
  startAtMs: number;
  /** The remainder of the trial that this subscription replaced. */
  trialRemainder?: { fromMs: number; untilMs: number };
  trialStartMs?: number;
  trialEndMs?: number;
  /** Whether the reminder of the trial's end was sent, with the invoice of the first term. */
  trialReminderSent?: boolean;
  /** The paid term: `termEndMs` is the end of term `termIndex`, counted from the anchor. */
  billingAnchor?: Anchor;
  termIndex?: number;
  termStartMs?: number;
  termEndMs?: number;
  /** Whether the invoice of the next term was issued. */
  renewalInvoiced?: boolean;
  /**
   * The terms that are paid or granted and not over, oldest first: the present one, and one that was paid early. Absent
   * until the first one.
   */
  paidTerms?: readonly PaidTerm[];
  /** The charges of invoices for these terms, oldest first, less what credit notes credited. */
  charges?: readonly Charge[];
  /** The plan from the end of the term on. */
  plannedChange?: PlanSnapshot;
  pausedAtMs?: number;
  resumesAtMs?: number;
  /** While past due: since when, and how many reminder steps have run. */
  dunning?: { fromMs: number; reminders: number };
  /** While pending: when it expires unpaid. */
  paymentDeadlineMs?: number;
  /** Whether the reminder on the due date of the first invoice was sent, or skipped. */
  paymentReminderSent?: boolean;
  /** The number of invoices issued, which is the number of the latest. */
  invoiceCount: number;
  /** The number of credit notes issued, which is the number of the latest. Absent for 0. */
  creditNoteCount?: number;
  openInvoices: readonly OpenInvoice[];
  /** Payments that are under way. Absent when there are none. */
  processing?: readonly ProcessingPayment[];
  /** The last payment of all open invoices without an amount, so that a repeat of the request pays nothing else. */
  lastActivation?: LastActivation;
  endedAtMs?: number;
  endReason?: EndReason;
  /**
   * After dunning: the reversed invoices that were owed, by `n`. When all are reinstated within the term, the subscription
   * is active again.
   */
  reversedAtEnd?: readonly number[];
  /** Its contributions to the recurring revenue, oldest first. Absent until it first does. */
  movements?: readonly Movement[];
  /** Mails that wait for the steps that are due, to be one mail with theirs. */
  heldMails?: readonly HeldMail[];
  createdAtMs: number;
  updatedAtMs: number;
  /** Incremented by every write; a write is conditioned on the revision that it read. */
  revision: number;
  /** The number of events `subscription.*`, which is the `sequence` of the latest. */
  eventCount: number;
  timer?: Timer;
  /** Identifies the execution in charge of the timer. Executions of other versions have no effect. */
  timerVersion: number;
}

/** An `activate` without an amount: the number of invoices that were issued then, and what it answered. */
interface LastActivation {
  atMs: number;
  n: number;
  status: Status;
  termEndMs?: number;
}

/** A subscription before its `start`: it has no status yet, and is not stored. */
export type UnstartedSubscription = Omit<Subscription, 'status'> & { status: 'none' };

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

/** The payment that an event is about, with its whole amount in minor units. */
export interface PaymentOfEvent {
  /** `pay_...` */
  paymentId: string;
  amountMinor: number;
  currency: string;
}

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
  /** Why the application changed the subscription, in its words. */
  reason?: string;
}
