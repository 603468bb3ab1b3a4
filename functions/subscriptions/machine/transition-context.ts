import type { PaymentPart } from '../../invoices/allocation.ts';
import type { Invoice, PlanSnapshot } from '../../invoices/invoice.ts';
import type { PostalAddress } from '../../shared/fields/postal-address.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import type { NewId } from '../../shared/runtime/ids.ts';
import type { PlanChange } from '../record/plan-change.ts';
import type { BillingPolicy } from '../record/policy.ts';
import type { Actor, OpenInvoice, PaymentOfEvent, Subscription } from '../record/subscription.ts';
import type { GuardInput } from './guards.ts';
import type { Event } from './transitions.ts';

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
    /** The credit by currency, in minor units. An invoice that is issued uses it. */
    readonly credit?: Readonly<Record<string, number>> | undefined;
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
  /** The payment that the event is about. */
  readonly payment?: PaymentOfEvent;
  /** What the payment adds to open invoices, or what is taken back from them. */
  readonly parts?: readonly PaymentPart[];
  /** What of the payment becomes credit of the client, or is taken from it when negative. In minor units. */
  readonly creditMinor?: number;
  /** Another event about the payment follows at once: the mails of both are one. */
  readonly isFollowed?: true;
  /** For `payment`: all open invoices are paid, without an amount. A repeat within a day pays nothing else. */
  readonly isActivation?: true;
  /** For `payment_processing`: until when the ends of the subscription wait. */
  readonly processingUntilMs?: number;
  /** For `payment_reversed` and `payment_reinstated`: the invoices whose payment was reversed, as they are open again. */
  readonly reversed?: readonly OpenInvoice[];
  /** For `payment_refunded`: the paid invoices, and what of them was refunded. */
  readonly refunded?: readonly RefundedInvoice[];
  /** For `payment_revived`: the invoices that were closed when the subscription ended, and since when the term counts. */
  readonly revival?: { readonly invoices: readonly OpenInvoice[]; readonly startMs: number | undefined };
  /** For `payment_unapplied`: the payment that waits for a decision, and the number of the invoice that it named. */
  readonly unapplied?: { readonly paymentId: string; readonly invoice?: string };
  /**
   * For `payment` of a pending subscription: the overdue one that it replaces. `fromMs` is since when it is overdue, and
   * `graceDays` is for how many days its access stayed full.
   */
  readonly replacedArrears?: { readonly fromMs: number; readonly graceDays: number } | undefined;
  /** For `extend_trial`, `grant_days`, `set_auto_renew` and `payment_returned`: why, in the words of the application. */
  readonly reason?: string;
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

/** A paid invoice, and what a refund takes from it, in minor units. */
export interface RefundedInvoice {
  readonly invoice: Pick<Invoice, 'n' | 'invoiceId' | 'number' | 'currency' | 'periodEndMs'>;
  /** What the refund takes from the invoice. */
  readonly amountMinor: number;
  /** The part of it that a credit note credits. */
  readonly noteMinor: number;
  /** The other part: a change of plan credited it before. The client's credit pays it instead. */
  readonly creditMinor: number;
  /** What no credit note has credited, after this refund. */
  readonly leftMinor: number;
  /** Whether no payment is left in the invoice, and all of it is credited. */
  readonly isWhole: boolean;
  /** The amounts of the invoice after the refund. */
  readonly fields: Required<Pick<Invoice, 'receivedMinor' | 'refundedMinor' | 'creditUsedMinor'>>;
}

/**
 * A value that the event has, or the state.
 *
 * @throws Error when it is missing: the caller is wrong.
 */
export function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('An event lacks what it is about');
  return value;
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
