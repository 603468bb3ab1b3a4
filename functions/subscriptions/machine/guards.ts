/** The conditions of rows in the table of transitions: what they read, and what they decide. */
import { isCovered } from '../../invoices/allocation.ts';
import type { OpenInvoice, Status, Subscription } from '../record/subscription.ts';

export type Guard =
  | 'trial_available'
  | 'is_free'
  | 'cancels_at_period_end'
  | 'does_not_cancel_at_period_end'
  | 'does_not_renew'
  | 'renews'
  | 'has_planned_change'
  | 'has_open_invoice'
  | 'has_reversed_payment'
  | 'nothing_else_is_overdue'
  | 'is_restorable'
  | 'is_revivable'
  | 'is_covered'
  | 'credit_covers'
  | 'refund_cancels'
  | 'extends_trial'
  | 'has_trial_end'
  | 'extends_term'
  | 'ends_arrears'
  | 'has_term_end'
  | 'switches_renewal';

/** Input to guards, in addition to the subscription. */
export interface GuardInput {
  /** For `payment` and `payment_reinstated`: the invoices that are paid, by `n`. */
  readonly paid?: readonly number[];
  /** For `start`: the trial of the plan, and what rules it out for the client. */
  readonly trial?: {
    readonly days: number;
    /** The client has had the one trial that the application grants. */
    readonly isUsed: boolean;
    /** Another subscription of the client is running. */
    readonly hasConcurrent: boolean;
  };
  /**
   * For `payment_reinstated` of an expired subscription: only the reversal ended it, its term still runs, and the client
   * has no other subscription.
   */
  readonly isRestorable?: boolean;
  /** For `payment_revived`: the payment is in time or only a little late, and the client has no other subscription. */
  readonly isRevivable?: boolean;
  /** For `payment_refunded`: the current term is refunded, and the seller wants the subscription cancelled then. */
  readonly refundCancels?: boolean;
  /** For `start`: the client's credit covers the first invoice. */
  readonly isCoveredByCredit?: boolean;
  /** When the event takes effect, epoch milliseconds. */
  readonly atMs?: number;
  /** For `extend_trial` and `grant_days`: the end that is asked for, epoch milliseconds. */
  readonly untilMs?: number;
  /** The present time. */
  readonly nowMs?: number;
  /** For `set_auto_renew`: the value that is asked for. */
  readonly autoRenew?: boolean;
}

/** What guards read of a subscription; `none` before its `start`. */
export type GuardedSubscription = { readonly status: Status | 'none' } & Readonly<
  Pick<
    Subscription,
    'cancelAtPeriodEnd' | 'autoRenew' | 'openInvoices' | 'termEndMs' | 'trialEndMs' | 'plan' | 'plannedChange'
  >
>;

/** The invoices that an event pays which is no payment. */
const none: readonly number[] = [];

/** Whether a row applies, by the name of its guard. */
export const guards: Readonly<
  Record<Guard, (subscription: GuardedSubscription, input: GuardInput) => boolean>
> = {
  trial_available: (_, { trial }) =>
    trial !== undefined && trial.days > 0 && !trial.isUsed && !trial.hasConcurrent,
  cancels_at_period_end: ({ cancelAtPeriodEnd }) => cancelAtPeriodEnd,
  does_not_cancel_at_period_end: ({ cancelAtPeriodEnd }) => !cancelAtPeriodEnd,
  does_not_renew: ({ autoRenew }) => !autoRenew,
  renews: ({ autoRenew, cancelAtPeriodEnd }) => autoRenew && !cancelAtPeriodEnd,
  has_planned_change: ({ plannedChange }) => plannedChange !== undefined,
  has_open_invoice: ({ openInvoices }, { paid = none }) => openInvoices.some(({ n }) => paid.includes(n)),
  has_reversed_payment: ({ openInvoices }, { atMs = Number.POSITIVE_INFINITY }) =>
    openInvoices.some((invoice) => isOwedAt(invoice, atMs)),
  nothing_else_is_overdue: (
    { openInvoices, termEndMs = 0 },
    { paid = none, atMs = Number.POSITIVE_INFINITY },
  ) => {
    const others = openInvoices.filter(({ n }) => !paid.includes(n));
    if (others.some((invoice) => isOwedAt(invoice, atMs))) return false;
    // The rest is owed from the end of the term at the latest, whatever began the dunning.
    return others.length === 0 || atMs < termEndMs;
  },
  is_restorable: (_, { isRestorable = false }) => isRestorable,
  credit_covers: (_, { isCoveredByCredit = false }) => isCoveredByCredit,
  is_revivable: (_, { isRevivable = false }) => isRevivable,
  is_covered: ({ openInvoices }) => isCovered(openInvoices),
  refund_cancels: (_, { refundCancels = false }) => refundCancels,
  is_free: ({ plan }) => plan.priceMinor === 0,
  extends_trial: ({ trialEndMs = 0 }, { untilMs = 0 }) => untilMs > trialEndMs,
  has_trial_end: ({ trialEndMs }, { untilMs }) => untilMs === trialEndMs,
  extends_term: ({ termEndMs = 0 }, { untilMs = 0 }) => untilMs > termEndMs,
  has_term_end: ({ termEndMs }, { untilMs }) => untilMs === termEndMs,
  // A reversed payment is owed, whatever the end of the term is.
  ends_arrears: ({ openInvoices, termEndMs = 0 }, { untilMs = 0, nowMs = 0 }) =>
    untilMs > Math.max(termEndMs, nowMs) &&
    openInvoices.every(({ planOnPayment }) => planOnPayment !== undefined),
  switches_renewal: ({ autoRenew }, input) => input.autoRenew !== undefined && input.autoRenew !== autoRenew,
};

/** Whether an invoice is owed whose term was granted before: after a reversal at once, for a change of plan from its due date. */
function isOwedAt({ planOnPayment, dueAtMs = 0 }: OpenInvoice, atMs: number): boolean {
  return planOnPayment === undefined && dueAtMs <= atMs;
}
