import type { output } from 'zod/mini';
import { isoTime } from '../../shared/runtime/clock.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { accessAt, isEntitled } from '../lifecycle/access.ts';
import type { Subscription, TimelineEntry } from '../lifecycle/subscription.ts';
import { toDecimal } from '../plans/money.ts';
import type { Current, OneInvoice, OneSubscription, Subscribed } from './responses.ts';

/** A time under its name in the answer; nothing when there is none. */
function timed<N extends string>(name: N, atMs: number | undefined): { [K in N]?: string } {
  return (atMs === undefined ? {} : { [name]: isoTime(atMs) }) as { [K in N]?: string };
}

function common(subscription: Subscription) {
  const { subscriptionId, referenceNumber, status, startAtMs, autoRenew } = subscription;
  return {
    _id: subscriptionId,
    referenceNumber,
    status,
    startDate: isoTime(startAtMs),
    ...timed('endDate', subscription.termEndMs),
    ...timed('trialStart', subscription.trialStartMs),
    ...timed('trialEnd', subscription.trialEndMs),
    autoRenew,
  };
}

/** A subscription right after something was done to it; its plan by id. */
export function toChangeResponse(subscription: Subscription): output<typeof Subscribed>['subscription'] {
  const { status, plan, cancelAtPeriodEnd, resumesAtMs } = subscription;
  return {
    ...common(subscription),
    planId: plan.planId,
    ...(cancelAtPeriodEnd && { cancelAtPeriodEnd }),
    ...(status === 'paused' && timed('resumesAt', resumesAtMs)),
  };
}

/** A subscription as it is read, with the plan as it was sold and what the subscriber may use now. */
export function toSubscriptionResponse(
  subscription: Subscription,
  nowMs: number,
): output<typeof Current>['subscription'] {
  const { status, plan, externalId, cancelAtPeriodEnd, endReason } = subscription;
  const { planId, name, priceMinor, currency, billingCycle } = plan;
  const access = accessAt(subscription, nowMs);
  return {
    ...common(subscription),
    planId: { _id: planId, name, price: toDecimal(priceMinor, currency), currency, billingCycle },
    externalId,
    entitled: isEntitled(access),
    access,
    ...timed('termStart', subscription.termStartMs),
    cancelAtPeriodEnd,
    ...(status === 'paused' && {
      ...timed('pausedAt', subscription.pausedAtMs),
      ...timed('resumesAt', subscription.resumesAtMs),
    }),
    ...timed('endedAt', subscription.endedAtMs),
    ...(endReason && { endReason }),
    createdAt: isoTime(subscription.createdAtMs),
  };
}

export function toInvoiceResponse(invoice: Invoice): output<typeof OneInvoice>['invoice'] {
  const { invoiceId, number, status, subscriptionId, currency, totalMinor, lines, reversed } = invoice;
  const { paymentReference, seller } = invoice;
  return {
    _id: invoiceId,
    number,
    status,
    subscriptionId,
    currency,
    total: toDecimal(totalMinor, currency),
    lines: lines.map(({ description, quantity, amountMinor }) => ({
      description,
      quantity,
      amount: toDecimal(amountMinor, currency),
    })),
    ...timed('periodStart', invoice.periodStartMs),
    ...timed('periodEnd', invoice.periodEndMs),
    paymentReference,
    ...(seller.banking && { banking: seller.banking }),
    issuedAt: isoTime(invoice.issuedAtMs),
    dueAt: isoTime(invoice.dueAtMs),
    ...timed('paidAt', invoice.paidAtMs),
    ...(reversed && { reversed }),
  };
}

export function toTimelineEntryResponse(
  entry: TimelineEntry,
): output<typeof OneSubscription>['subscription']['timeline'][number] {
  const { atMs, event, by, from, to, invoices = [], unapplied } = entry;
  return {
    at: isoTime(atMs),
    event,
    by,
    ...(from && { from }),
    to,
    ...(invoices.length > 0 && { invoices: [...invoices] }),
    ...(unapplied && { unapplied }),
  };
}
