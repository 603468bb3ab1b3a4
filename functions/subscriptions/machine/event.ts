import type { Client } from '../../clients/client.ts';
import type { Invoice, PlanSnapshot } from '../../invoices/invoice.ts';
import type { Entry } from '../../ledger/entry.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import type { NewId } from '../../shared/runtime/ids.ts';
import type { PlanChange } from '../record/plan-change.ts';
import type { BillingPolicy } from '../record/policy.ts';
import type { OpenInvoice, Step, Subscription } from '../record/subscription.ts';
import type { Actor, CreditPaidOut, PaymentOfEvent } from '../record/timeline-entry.ts';

/** The payload of each event, in addition to the context that all events have. Times in epoch milliseconds. */
interface Payloads extends Record<Exclude<Step, 'renewal_invoice'>, object> {
  start: {
    /** The trial of the plan, and what rules it out for the client. */
    readonly trial: {
      readonly days: number;
      /** The client has had the one trial that the application grants. */
      readonly isUsed: boolean;
      readonly hasConcurrent: boolean;
    };
    /** The client's credit covers the first invoice. */
    readonly isCoveredByCredit: boolean;
    readonly replaced: ReplacedAccess | undefined;
  };
  payment: PaidInvoices & {
    readonly isSandbox: boolean;
    /** All open invoices are paid, without an amount. A repeat within a day pays nothing else. */
    readonly isActivation: boolean;
    readonly replaced: ReplacedAccess | undefined;
  };
  payment_revived: PaidInvoices & {
    /** The payment is in time or only a little late, and the client has no other subscription. */
    readonly isRevivable: boolean;
    /** The closed invoices that are open again, and since when the term counts; undefined for its old end. */
    readonly revival: {
      readonly invoices: readonly OpenInvoice[];
      /** Of these, those that are issued again, with the invoices in their places. */
      readonly reissued: readonly ReissuedInvoice[];
      readonly startMs: number | undefined;
    };
  };
  partial_payment: ReceivedMoney;
  payment_credited: ReceivedMoney;
  /** It pays invoices of granted terms that were uncollectible. */
  debt_paid: PaidInvoices;
  payment_returned: ReceivedMoney;
  credit_paid_out: {
    readonly paidOut: CreditPaidOut;
    readonly booked: readonly Entry[];
    readonly reason: string | undefined;
  };
  invoice_credited: { readonly credited: RefundedInvoice; readonly reason: string };
  /** A gateway or a bank took money back, or the seller allocated it elsewhere. */
  part_reversed: ReceivedMoney;
  payment_reversed: ReceivedMoney & { readonly reversed: ReversedInvoices };
  payment_reinstated: PaidInvoices;
  payment_refunded: ReceivedMoney & {
    readonly refunded: readonly RefundedInvoice[];
    /** The current term is refunded, and the seller wants the subscription cancelled then. */
    readonly refundCancels: boolean;
  };
  payment_unapplied: ReceivedMoney & {
    /** The payment that waits for a decision, and the number of the invoice that it named. */
    readonly unapplied: { readonly paymentId: string; readonly invoice?: string };
  };
  payment_processing: {
    readonly payment: PaymentOfEvent;
    readonly processingUntilMs: number;
  };
  payment_failed: { readonly payment: PaymentOfEvent };
  renewal_invoice: {
    /** The current plan and settings, for the next term; undefined without an application: they stay. */
    readonly renewal: RenewalTerms | undefined;
  };
  pause: { readonly resumesAtMs: number | undefined };
  cancel: Reasoned;
  cancel_at_period_end: Reasoned;
  uncancel: Reasoned;
  change_plan: { readonly planChange: PlanChange } & RenewalOfChange;
  schedule_plan_change: { readonly planChange: PlanChange } & RenewalOfChange;
  undo_plan_change: RenewalOfChange;
  extend_trial: NewEnd;
  grant_days: NewEnd;
  set_auto_renew: { readonly autoRenew: boolean; readonly reason: string };
  supersede: object;
  replace: object;
}

export type EventName = keyof Payloads;

/** An event with what it is about: a union by `event`. */
export type Event<E extends EventName = EventName> = {
  [Name in E]: { readonly event: Name } & Readonly<Payloads[Name]>;
}[E];

/** The next term after a change of plan: its invoice can be due by the change. */
interface RenewalOfChange {
  readonly renewal: RenewalTerms;
}

export type PlanChangeEvent = 'change_plan' | 'schedule_plan_change' | 'undo_plan_change';

export const stepEvent = (step: Step, renewal: RenewalTerms | undefined): Event<Step> =>
  step === 'renewal_invoice' ? { event: step, renewal } : { event: step };

export interface ReceivedMoney {
  readonly payment: PaymentOfEvent;
  readonly booked: readonly Entry[];
  /** In the words of the seller who moved it. */
  readonly reason?: string | undefined;
  /** The seller says that it left, and no bank does. */
  readonly isStated?: true | undefined;
}

/** Money that pays invoices to their end. */
interface PaidInvoices extends ReceivedMoney {
  readonly paid: readonly number[];
  /** The gateway's id of the payment; undefined for one outside of a gateway. */
  readonly paymentId: string | undefined;
}

type ReversedInvoices = readonly [OpenInvoice, ...OpenInvoice[]];

/** The access of the subscription that this one replaces: it continues for the rest of a trial, and arrears count. */
export type ReplacedAccess =
  | { readonly kind: 'trial'; readonly startMs: number; readonly endMs: number }
  /** `fromMs` is since when it is overdue, and `graceDays` is for how many days its access stayed full. */
  | { readonly kind: 'arrears'; readonly fromMs: number; readonly graceDays: number };

/** The next term, as the application sells it: the plan as sold now, and the settings. */
export interface RenewalTerms {
  readonly plan: PlanSnapshot;
  readonly policy: BillingPolicy;
  readonly gateway: Subscription['gateway'];
  readonly seller: Subscription['seller'];
}

/** In the words of an operator. An application cancels without a reason. */
interface Reasoned {
  readonly reason?: string | undefined;
}

/** The end of the trial or the term that the application asks for, and why in its words. */
interface NewEnd {
  readonly untilMs: number;
  readonly reason: string;
}

/** A closed invoice that is issued again, and the number of the new one within the subscription. */
export interface ReissuedInvoice {
  readonly n: number;
  readonly former: Invoice;
}

/** An invoice, and what a refund or a credit note takes from it, in minor units. */
export interface RefundedInvoice {
  readonly invoice: Invoice;
  readonly amountMinor: number;
}

export interface CommonContext {
  readonly by: Actor;
  /** The time at which the event is processed. */
  readonly nowMs: number;
  /** When the event takes effect: a step that runs late counts from when it was due. */
  readonly atMs: number;
  /** The recipient of mails, and the customer on invoices. */
  readonly client: Pick<Client, 'email' | 'name' | 'address' | 'vatId' | 'credit'>;
  /** `held`: another event follows at once, and the mails of both are one. */
  readonly mails: 'sent' | 'held';
  readonly newInvoiceId: () => string;
  readonly newCreditNoteId: () => string;
}

/** Input to a transition, in addition to the subscription: the event with what it is about, and its context. */
export type TransitionContext<E extends EventName = EventName> = CommonContext & Event<E>;

export interface TransitionDeps {
  clock: Clock;
  newId: NewId;
}

/** Who causes an event for whom. It takes effect now, and its mails are sent, unless stated otherwise. */
export type Circumstances = Pick<CommonContext, 'by' | 'client'> &
  Partial<Pick<CommonContext, 'atMs' | 'mails'>>;

/** Builds the context of one event. The clock is read once, so that everything an event does has the same time. */
export function transitionContext<E extends EventName>(
  event: Event<E>,
  circumstances: Circumstances,
  { clock, newId }: TransitionDeps,
): TransitionContext<E> {
  const nowMs = clock.nowMs();
  return {
    ...event,
    atMs: nowMs,
    mails: 'sent',
    ...circumstances,
    nowMs,
    newInvoiceId: () => newId('inv', nowMs),
    newCreditNoteId: () => newId('crn', nowMs),
  };
}
