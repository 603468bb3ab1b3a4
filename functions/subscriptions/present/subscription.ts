import type { output } from 'zod/mini';
import type { PlanSnapshot } from '../../invoices/invoice.ts';
import { defined } from '../../shared/contract/defined.ts';
import { toDecimal } from '../../shared/money/money.ts';
import { isoTime, optionalIsoTime } from '../../shared/runtime/clock.ts';
import { type Access, accessAt, isEntitled } from '../record/access.ts';
import { planAt } from '../record/paid-terms.ts';
import type { Subscription, SubscriptionFields } from '../record/subscription.ts';
import type { TimelineEntry } from '../record/timeline-entry.ts';
import type { ChangedSubscription, OneSubscription, SubscriptionSchema } from '../schemas.ts';

function commonFields(subscription: SubscriptionFields, { quantity }: PlanSnapshot) {
  const { subscriptionId, referenceNumber, status, startAtMs, autoRenew, plannedChange } = subscription;
  const { trialStartMs, trialEndMs, termEndMs, createdAtMs } = subscription;
  return {
    _id: subscriptionId,
    referenceNumber,
    status,
    startDate: isoTime(startAtMs),
    // A client that compares it with the present time lets nobody in who has neither paid nor a trial.
    endDate: isoTime(termEndMs ?? trialEndMs ?? createdAtMs),
    ...defined({ trialStart: optionalIsoTime(trialStartMs), trialEnd: optionalIsoTime(trialEndMs) }),
    autoRenew,
    ...defined({
      quantity,
      plannedChange: plannedChange && {
        planId: plannedChange.planId,
        ...defined({ quantity: plannedChange.quantity, effectiveAt: optionalIsoTime(termEndMs) }),
      },
    }),
  };
}

/** A subscription as returned by changes, with the id of its plan. */
export function toChangeResponse(
  subscription: SubscriptionFields,
): output<typeof ChangedSubscription>['subscription'] {
  const { status, cancelAtPeriodEnd, resumesAtMs, updatedAtMs } = subscription;
  const plan = planAt(subscription, updatedAtMs);
  return {
    ...commonFields(subscription, plan),
    planId: plan.planId,
    ...defined({
      cancelAtPeriodEnd: cancelAtPeriodEnd || undefined,
      resumesAt: status === 'paused' ? optionalIsoTime(resumesAtMs) : undefined,
    }),
  };
}

/** A new subscription: as reads return it, with the id of its plan. */
export function toCreatedResponse(subscription: Subscription): output<typeof SubscriptionSchema> {
  const { createdAtMs } = subscription;
  const plan = planAt(subscription, createdAtMs);
  return {
    ...presentFields(subscription, plan, accessAt(subscription, createdAtMs)),
    planId: plan.planId,
  };
}

/**
 * A subscription as returned by reads, with the plan as sold and the current level of access.
 *
 * @param access where late steps would change it: see commands/access-with-credit.ts.
 */
export function toSubscriptionResponse(
  subscription: Subscription,
  nowMs: number,
  access = accessAt(subscription, nowMs),
): output<typeof SubscriptionSchema> {
  const plan = planAt(subscription, nowMs);
  const { planId, name, priceMinor, currency, billingCycle, features = [] } = plan;
  return {
    ...presentFields(subscription, plan, access),
    planId: {
      _id: planId,
      name,
      price: toDecimal(priceMinor, currency),
      currency,
      billingCycle,
      features: [...features],
    },
  };
}

function presentFields(subscription: Subscription, plan: PlanSnapshot, access: Access) {
  const { externalId, cancelAtPeriodEnd, endReason } = subscription;
  return {
    ...commonFields(subscription, plan),
    externalId,
    entitled: isEntitled(access),
    access,
    ...defined({ termStart: optionalIsoTime(subscription.termStartMs) }),
    cancelAtPeriodEnd,
    ...defined({
      pausedAt: optionalIsoTime(subscription.pausedAtMs),
      resumesAt: optionalIsoTime(subscription.resumesAtMs),
      endedAt: optionalIsoTime(subscription.endedAtMs),
      endReason,
    }),
    createdAt: isoTime(subscription.createdAtMs),
  };
}

export function toTimelineEntryResponse(
  entry: TimelineEntry,
): output<typeof OneSubscription>['subscription']['timeline'][number] {
  const {
    atMs,
    event,
    by,
    from,
    to,
    invoices = [],
    creditNotes,
    payment,
    paidOut,
    unapplied,
    reason,
  } = entry;
  return {
    at: isoTime(atMs),
    event,
    by,
    ...defined({ from }),
    to,
    ...defined({
      invoices: invoices.length > 0 ? [...invoices] : undefined,
      creditNotes: creditNotes && [...creditNotes],
      payment: payment && {
        _id: payment.paymentId,
        amount: toDecimal(payment.amountMinor, payment.currency),
        currency: payment.currency,
      },
      paidOut: paidOut && {
        amount: toDecimal(paidOut.amountMinor, paidOut.currency),
        currency: paidOut.currency,
      },
      reason,
      unapplied,
    }),
  };
}
