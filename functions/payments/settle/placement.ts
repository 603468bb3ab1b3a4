/** Where the money of a payment goes, by the state of its subscription. */

import { allocate, type Distribution } from '../../invoices/allocation.ts';
import { dueMinor, isCredited } from '../../invoices/due.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { defined } from '../../shared/contract/defined.ts';
import { dayMs } from '../../shared/runtime/duration.ts';
import type { SubscriptionWithClient } from '../../subscriptions/commands/subscription-store.ts';
import { appliedChange, decide } from '../../subscriptions/machine/decide.ts';
import type { Event } from '../../subscriptions/machine/event.ts';
import { type TransitionDeps, transitionContext } from '../../subscriptions/machine/transition-context.ts';
import { toleranceMinor } from '../../subscriptions/record/policy.ts';
import { hasExpired, revivableUntilMs } from '../../subscriptions/record/revival.ts';
import type {
  EndedSubscription,
  OpenInvoice,
  Subscription,
} from '../../subscriptions/record/subscription.ts';
import { endOfTerm } from '../../subscriptions/record/term.ts';
import type { PaymentMethod, PaymentSource, UnappliedReason } from '../record/payment.ts';

/** Money to place. Amounts in minor units. */
export interface Money {
  readonly source: PaymentSource;
  readonly method: PaymentMethod;
  readonly amountMinor: number;
  readonly currency: string;
  readonly valueAtMs: number;
}

/** The fate of a payment. */
export type Placement =
  | { readonly kind: 'pay' | 'part'; readonly distribution: Distribution }
  | {
      readonly kind: 'revive';
      readonly distribution: Distribution;
      readonly revival: Event<'payment_revived'>['revival'];
    }
  | { readonly kind: 'credit' }
  | { readonly kind: 'unapplied'; readonly reason: UnappliedReason };

/**
 * Where money goes that is for a subscription. A gateway names an invoice, and can take the money back: what it reports
 * twice waits for the seller. A transfer cannot be taken back, so what is left is credit.
 *
 * @param named the invoice that the payer or the gateway named.
 * @param closed for an ended subscription: the invoices that were closed at its end.
 */
export function placementFor(
  { subscription, client }: Pick<SubscriptionWithClient, 'subscription' | 'client'>,
  money: Money,
  { named, closed }: { named: Invoice | undefined; closed: readonly Invoice[] },
  deps: TransitionDeps,
): Placement {
  if (subscription.status === 'cancelled' || subscription.status === 'expired')
    return placementAfterEnd(subscription, client.credit ?? {}, money, closed, deps.clock.nowMs());
  const isAtGateway = money.source === 'stripe' || money.source === 'sandbox';
  const isNamedOpen = subscription.openInvoices.some(({ n }) => n === named?.n);
  if (isAtGateway && named !== undefined && !isNamedOpen) return { kind: 'unapplied', reason: 'duplicate' };
  const open = payableInvoices(subscription, client, deps);
  if (!open.some(({ currency }) => currency === money.currency)) {
    const isOwnCurrency = open.length === 0 && subscription.plan.currency === money.currency;
    return isOwnCurrency ? { kind: 'credit' } : { kind: 'unapplied', reason: 'currency' };
  }
  const tolerance = toleranceMinor(subscription.policy, money.currency);
  const distribution = allocate(open, { ...money, toleranceMinor: tolerance, firstN: named?.n });
  if (distribution.paid.length > 0) return { kind: 'pay', distribution };
  // The invoice of the trial is not issued yet: it uses the credit.
  return subscription.openInvoices.length === 0 ? { kind: 'credit' } : { kind: 'part', distribution };
}

/** The open invoices. During a trial, a payment can come before the invoice of the first term: it is issued then. */
export function payableInvoices(
  subscription: Subscription,
  client: SubscriptionWithClient['client'],
  deps: TransitionDeps,
): readonly OpenInvoice[] {
  if (subscription.openInvoices.length > 0) return subscription.openInvoices;
  const nothing = { paymentId: '', amountMinor: 0, currency: subscription.plan.currency };
  const event = {
    event: 'payment',
    payment: nothing,
    paymentId: undefined,
    paid: [],
    parts: [],
    creditMinor: 0,
    isSandbox: false,
    isActivation: false,
    replaced: undefined,
  } as const;
  // Stryker disable next-line StringLiteral: no timeline is written.
  const context = transitionContext(event, { by: 'timer', client }, deps);
  const issued = appliedChange(decide(subscription, context))?.issued ?? [];
  return issued.map(({ n, invoiceId, totalMinor, currency, creditUsedMinor = 0 }) => ({
    n,
    invoiceId,
    totalMinor,
    currency,
    receivedMinor: creditUsedMinor,
  }));
}

/**
 * A subscription that expired unpaid revives if the payment is in time, or late by at most `reviveDays`, and nobody has cancelled
 * it since. Other money is credit. Money for one that was cancelled while it ran waits for the seller.
 */
function placementAfterEnd(
  subscription: EndedSubscription,
  credit: Readonly<Record<string, number>>,
  money: Money,
  closed: readonly Invoice[],
  nowMs: number,
): Placement {
  const { endReason, plan, policy } = subscription;
  const isReplaced = endReason === 'superseded' || endReason === 'replaced';
  if (!isReplaced && !hasExpired(subscription)) return { kind: 'unapplied', reason: 'subscription_ended' };
  if (plan.currency !== money.currency && !closed.some(({ currency }) => currency === money.currency))
    return { kind: 'unapplied', reason: 'currency' };
  const invoices = closed.map(reopened);
  const start = revivalStart(subscription, money.valueAtMs, nowMs, invoices);
  if (start === undefined || invoices.length === 0) return { kind: 'credit' };
  const distribution = allocate(withCredit(invoices, credit[money.currency] ?? 0), {
    ...money,
    toleranceMinor: toleranceMinor(policy, money.currency),
  });
  if (distribution.paid.length < closed.length) return { kind: 'credit' };
  return { kind: 'revive', distribution, revival: { invoices, startMs: start.startMs } };
}

/**
 * Where the term begins that a late payment buys. In time, by the gateway's time or the value date: where it would have
 * begun. Late, or reported when that term is over: now, less the days of grace that were used.
 *
 * @returns without `startMs`, the term continues from the old end; undefined when the subscription does not revive.
 */
function revivalStart(
  subscription: EndedSubscription,
  valueAtMs: number,
  nowMs: number,
  invoices: readonly OpenInvoice[],
): { readonly startMs?: number } | undefined {
  const untilMs = revivableUntilMs(subscription);
  if (untilMs === undefined || Math.max(valueAtMs, nowMs) > untilMs) return undefined;
  const { endReason, endedAtMs, termEndMs, trialEndMs = endedAtMs } = subscription;
  const { startAtMs, plan, policy } = subscription;
  const isInTime = valueAtMs <= endedAtMs;
  const cycle = invoices.at(-1)?.planOnPayment?.billingCycle ?? plan.billingCycle;
  const isOver = (fromMs: number) => endOfTerm({ atMs: fromMs, cycle }, invoices.length) <= nowMs;
  if (endReason === 'trial_over') return { startMs: isInTime && !isOver(trialEndMs) ? trialEndMs : nowMs };
  if (termEndMs === undefined) return { startMs: Math.max(nowMs, startAtMs) };
  // The reversed payments were for a term that was granted. Nothing is left of one that is over.
  const isForNextTerm = invoices.some(({ planOnPayment }) => planOnPayment !== undefined);
  if (!isForNextTerm) return termEndMs > nowMs ? {} : undefined;
  if (termEndMs > nowMs || (isInTime && !isOver(termEndMs))) return {};
  return { startMs: nowMs - policy.graceDays * dayMs };
}

/** A closed invoice as it is open again, with what it had received. */
function reopened(invoice: Invoice): OpenInvoice {
  const { n, invoiceId, totalMinor, currency, gateway, plan } = invoice;
  const { receivedMinor, creditUsedMinor, refundedMinor } = invoice;
  return {
    n,
    invoiceId,
    totalMinor,
    currency,
    ...defined({
      refundedMinor,
      atStripe: gateway !== 'none' || undefined,
      planOnPayment: isCredited(invoice) ? plan : undefined,
      receivedMinor,
      creditUsedMinor,
    }),
  };
}

/** The invoices after they have used the credit, in their order. What one had received for a term to come is part of it. */
function withCredit(invoices: readonly OpenInvoice[], creditMinor: number): OpenInvoice[] {
  let leftMinor = Math.max(0, creditMinor);
  return invoices.map((invoice) => {
    // The end of the subscription made credit of the money for a term that was not granted.
    const receivedMinor = invoice.planOnPayment === undefined ? (invoice.receivedMinor ?? 0) : 0;
    const usedMinor = Math.min(leftMinor, dueMinor({ ...invoice, receivedMinor }));
    leftMinor -= usedMinor;
    return { ...invoice, receivedMinor: receivedMinor + usedMinor };
  });
}
