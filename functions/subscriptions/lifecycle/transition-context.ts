import type { PostalAddress } from '../../shared/fields/postal-address.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import type { NewId } from '../../shared/runtime/ids.ts';
import type { PlanSnapshot } from '../invoices/invoice.ts';
import type { PlanChange } from './plan-change.ts';
import type { BillingPolicy } from './policy.ts';
import type { Actor, OpenInvoice, Subscription, UnappliedPayment } from './subscription.ts';
import type { Event, GuardInput } from './transitions.ts';

/** Input to a transition, in addition to the subscription. Times in epoch milliseconds. */
export interface TransitionContext extends GuardInput {
  readonly event: Event;
  readonly by: Actor;
  /** The time at which the event is processed. */
  readonly nowMs: number;
  /** When the event takes effect: a step that runs late counts from when it was due. Default: `nowMs`. */
  readonly atMs?: number;
  /** The recipient of mails, and the customer on invoices. */
  readonly client: {
    readonly email: string;
    readonly name?: string | undefined;
    readonly address?: PostalAddress | undefined;
    readonly vatId?: string | undefined;
  };
  readonly newInvoiceId: () => string;
  readonly newCreditNoteId: () => string;
  /** For `payment` and `payment_reinstated`: the gateway's id of the payment. */
  readonly paymentId?: string;
  /** For `payment`: it was made in the sandbox, so that a checkout at Stripe may still be open. */
  readonly isSandbox?: true;
  /**
   * For `payment` of a pending subscription: the trial that it replaces. Access continues for the remainder.
   */
  readonly replacedTrial?: { readonly startMs: number; readonly endMs: number } | undefined;
  /**
   * For `payment` of a pending subscription: the overdue one that it replaces. `fromMs` is since when it is overdue, and
   * `graceDays` is for how many days its access stayed full.
   */
  readonly replacedArrears?: { readonly fromMs: number; readonly graceDays: number } | undefined;
  /** For `extend_trial`, `grant_days` and `set_auto_renew`: why, in the words of the application. */
  readonly reason?: string;
  /** For `payment_reversed` and `payment_reinstated`: the invoice whose payment was reversed. */
  readonly reversed?: OpenInvoice;
  /** For `payment_unapplied`: the payment that could not be applied. */
  readonly unapplied?: UnappliedPayment;
  /** For `renewal_invoice`: the current plan and settings, for the next term. */
  readonly renewal?: {
    readonly plan: PlanSnapshot;
    readonly policy: BillingPolicy;
    readonly gateway: Subscription['gateway'];
    readonly seller: Subscription['seller'];
  };
  /** For `change_plan` and `schedule_plan_change`: the plan, and what it does to the money. */
  readonly planChange?: PlanChange;
  /** For `pause`: when the subscription resumes; `undefined` without an end. */
  readonly resumesAtMs?: number | undefined;
}

/** The dependencies of {@link transitionContext}. */
export interface TransitionDeps {
  clock: Clock;
  newId: NewId;
}

/**
 * Builds the context of one event. The clock is read once, so that everything an event does has the same
 * time.
 */
export function transitionContext(
  input: Omit<TransitionContext, 'nowMs' | 'newInvoiceId' | 'newCreditNoteId'>,
  { clock, newId }: TransitionDeps,
): TransitionContext {
  const nowMs = clock.nowMs();
  return {
    ...input,
    nowMs,
    newInvoiceId: () => newId('inv', nowMs),
    newCreditNoteId: () => newId('crn', nowMs),
  };
}
