/** Applies money to a subscription, as its placement says: one transaction for the payment and all that it changes. */

import type { Invoice } from '../../invoices/invoice.ts';
import { defined } from '../../shared/contract/defined.ts';
import { runDueSteps, scheduleChangeFollowUp } from '../../subscriptions/commands/run-due-steps.ts';
import type { SubscriptionWithClient } from '../../subscriptions/commands/subscription-store.ts';
import type { Change } from '../../subscriptions/machine/decide.ts';
import type { Event } from '../../subscriptions/machine/event.ts';
import type { CommonContext } from '../../subscriptions/machine/transition-context.ts';
import { maxCharges } from '../../subscriptions/record/plan-change.ts';
import { hasExpired } from '../../subscriptions/record/revival.ts';
import type { Actor } from '../../subscriptions/record/timeline-entry.ts';
import type { PaymentChange, UnappliedReason } from '../record/payment.ts';
import { applyPayment } from './apply-to-invoices.ts';
import { changedPayment, settledStatus } from './change.ts';
import { settlementDeps, writeEvent } from './event.ts';
import type { Conflict, RecordedPayment, Refused } from './incoming-payment.ts';
import { isAlone, revivedClient } from './other-subscriptions.ts';
import { type Money, type Placement, placementFor } from './placement.ts';
import type { Target } from './target.ts';
import { allocationsOf, type PendingPayment, paymentWrites } from './writes.ts';

const deps = settlementDeps;

/** No term has more invoices: those of its charges, its own, and that of the next one. */
const maxOfTerm = maxCharges + 2;

/** Money to place, and who moves it. */
export interface PlacedMoney extends Money {
  readonly by: Actor;
  readonly sourceId: string;
  readonly isActivation?: true;
}

/** Settles a payment. Money that fits nothing is unapplied. */
export async function settlePayment(
  target: Target,
  money: PlacedMoney,
  pending: PendingPayment,
): Promise<RecordedPayment | Conflict> {
  const { current, placement } = await placementAt(target, money);
  const written = await writePlacement(current, money, placement, pending);
  if (written.kind !== 'refused') return written;
  // Another subscription of the client is active or paused.
  return unappliedAt(current, money, 'other_subscription', pending);
}

/** Settles money that must not wait for a decision: the seller has made it. */
export async function settleDecided(
  target: Target,
  money: PlacedMoney,
  pending: PendingPayment,
): Promise<RecordedPayment | Conflict | Refused<'unfit'>> {
  const { current, placement } = await placementAt(target, money);
  if (placement.kind !== 'unapplied') return writePlacement(current, money, placement, pending);
  // Money for an ended subscription is credit if the seller says so.
  if (placement.reason !== 'subscription_ended') return unfit;
  return writePlacement(current, money, { kind: 'credit' }, pending);
}

const unfit = { kind: 'refused', reason: 'unfit' } as const;

/** The subscription that the money is for, and where the money goes. */
async function placementAt(
  target: Target,
  money: PlacedMoney,
): Promise<{ current: SubscriptionWithClient; placement: Placement }> {
  const { current, named } = await presentTarget(target, money);
  const closed = await closedAtEnd(current);
  let placement = placementFor(current, money, { named, closed }, deps);
  if (placement.kind === 'revive' && !(await isAlone(current, deps))) placement = { kind: 'credit' };
  return { current, placement };
}

/**
 * Money for a subscription that another one replaced is for that one, if it has something to pay. Otherwise it is credit
 * of the client, at the subscription that the payer named.
 */
async function presentTarget(target: Target, { currency }: Money): Promise<Target> {
  const { client, subscription } = target.current;
  const { endReason, applicationId, externalId } = subscription;
  const presentId = client.pendingId ?? client.runningId;
  const isReplaced = endReason === 'superseded' || endReason === 'replaced';
  if (!isReplaced || presentId === undefined || presentId === subscription.subscriptionId) return target;
  const { subscriptions } = await deps.subscriptions.getWithClient(applicationId, externalId, [presentId]);
  const [present] = subscriptions;
  if (present === undefined) return target;
  const invoices = await deps.invoices.latest(presentId);
  const current = await runDueSteps({ client, subscription: present, invoices }, deps);
  const isPayable = current.subscription.openInvoices.some((invoice) => invoice.currency === currency);
  return isPayable ? { current, named: undefined } : target;
}

/**
 * The invoices that were closed when the subscription ended, oldest first. They are read after the subscription: another
 * request can have ended it since they were read with it. An invoice that a dispute reopened can be older than the last term.
 */
async function closedAtEnd({ subscription }: SubscriptionWithClient): Promise<Invoice[]> {
  if (!hasExpired(subscription)) return [];
  const { endedAtMs, subscriptionId, reversedAtEnd } = subscription;
  const ofTerm = await deps.invoices.latest(subscriptionId, maxOfTerm);
  const older = reversedAtEnd.filter((n) => ofTerm.every((one) => one.n !== n));
  const reversed = await Promise.all(older.map((n) => deps.invoices.get(subscriptionId, n)));
  return [...ofTerm, ...reversed]
    .filter((invoice) => invoice !== undefined)
    .filter(
      (invoice) =>
        (invoice.status === 'void' || invoice.status === 'uncollectible') && invoice.closedAtMs === endedAtMs,
    )
    .toSorted((a, b) => a.n - b.n);
}

async function writePlacement(
  current: SubscriptionWithClient,
  money: PlacedMoney,
  placement: Placement,
  pending: PendingPayment,
): Promise<RecordedPayment | Conflict | Refused<'unfit'>> {
  if (placement.kind === 'unapplied') return unappliedAt(current, money, placement.reason, pending);
  const { amountMinor } = money;
  const distribution =
    placement.kind === 'credit'
      ? { paid: [], parts: [], overpaymentMinor: amountMinor }
      : placement.distribution;
  const { paid, parts, overpaymentMinor } = distribution;
  const invoices = await invoicesOf(current, [...paid, ...parts.map(({ n }) => n)]);
  let payment: PaymentChange | undefined;
  const more = (change: Change) => {
    const { previous, base, writes, announced, answered } = pending;
    const allocations = [...base.allocations, ...allocationsOf(parts, change, invoices)];
    const creditedMinor = base.creditedMinor + overpaymentMinor;
    const { externalId, subscriptionId } = change.next;
    const { unappliedReason: _, ...fields } = base;
    const placed = {
      ...fields,
      allocations,
      creditedMinor,
      externalId,
      subscriptionId,
      ...defined({ answered: answered?.(change.next) }),
    };
    const status = settledStatus(placed, paid.length > 0);
    payment = changedPayment(previous, { ...placed, status }, [...announced, 'applied'], deps.clock.nowMs());
    return paymentWrites(payment, writes(change.next));
  };
  const received = { payment: paymentOf(pending), parts, creditMinor: overpaymentMinor, paid };
  const mails = followsAtOnce(pending) ? 'held' : 'sent';
  const read = { ...current, invoices };
  const outcome = await writeAs(read, { ...money, mails }, placement, received, more);
  if (outcome.kind === 'conflict') return outcome;
  if (outcome.kind !== 'changed' || payment === undefined) return unfit;
  return { kind: 'changed', payment: payment.next, subscription: outcome.change.next };
}

/** A dispute or a refund was reported before the payment: it is recorded next. */
const followsAtOnce = ({ base: { reversalOf, earlierRefundMinor = 0 } }: PendingPayment) =>
  reversalOf === true || earlierRefundMinor > 0;

async function writeAs(
  current: SubscriptionWithClient,
  { source, sourceId, isActivation, by, mails }: PlacedMoney & Pick<CommonContext, 'mails'>,
  placement: Placement,
  { paid, ...received }: Pick<Event<'payment'>, 'payment' | 'parts' | 'creditMinor' | 'paid'>,
  more: (change: Change) => ReturnType<typeof paymentWrites>,
): ReturnType<typeof applyPayment> {
  const isAtGateway = source === 'stripe' || source === 'sandbox';
  // The gateway's id. The sandbox counts the payments of an invoice by it.
  const paymentId = isAtGateway ? sourceId : undefined;
  switch (placement.kind) {
    case 'pay': {
      const isSandbox = source === 'sandbox';
      const payment = { ...received, paid, paymentId, isSandbox, isActivation: isActivation === true };
      const outcome = await applyPayment(current, payment, { by, mails }, deps, more);
      if (outcome.kind === 'changed') await scheduleChangeFollowUp(outcome.change, deps);
      return outcome;
    }
    case 'revive': {
      const { revival } = placement;
      const revived = { event: 'payment_revived', isRevivable: true, revival, paid, paymentId } as const;
      return writeEvent(current, { ...revived, ...received }, { by, mails }, more, revivedClient(current));
    }
    case 'part':
      return writeEvent(current, { event: 'partial_payment', ...received }, { by, mails }, more);
    default:
      return writeEvent(current, { event: 'payment_credited', ...received }, { by, mails }, more);
  }
}

async function unappliedAt(
  current: SubscriptionWithClient,
  money: PlacedMoney,
  reason: UnappliedReason,
  pending: PendingPayment,
): Promise<RecordedPayment | Conflict> {
  const { previous, base, writes, announced, answered } = pending;
  const fields: PendingPayment['base'] = {
    ...base,
    status: 'unapplied',
    unappliedReason: reason,
    ...defined({ answered: answered?.(current.subscription) }),
  };
  const change = changedPayment(previous, fields, [...announced, 'unapplied'], deps.clock.nowMs());
  const invoice = current.invoices.find(({ invoiceId }) => invoiceId === base.invoiceId)?.number;
  const unapplied = { paymentId: base.paymentId, ...defined({ invoice }) };
  const event = { event: 'payment_unapplied', payment: paymentOf(pending), unapplied } as const;
  const more = ({ next }: Change) => paymentWrites(change, writes(next));
  const outcome = await writeEvent(current, event, { by: money.by }, more);
  if (outcome.kind !== 'changed') return { kind: 'conflict' };
  return { kind: 'changed', payment: change.next, subscription: outcome.change.next };
}

const paymentOf = ({ base: { paymentId, amountMinor, currency } }: PendingPayment) => ({
  paymentId,
  amountMinor,
  currency,
});

/** These invoices, read where they were not read yet. The one that a change issues does not exist. */
async function invoicesOf(
  { subscription, invoices }: SubscriptionWithClient,
  ns: readonly number[],
): Promise<readonly Invoice[]> {
  const isIssued = (n: number) => n <= subscription.invoiceCount;
  const missing = [...new Set(ns)].filter((n) => isIssued(n) && !invoices.some((one) => one.n === n));
  const read = await Promise.all(missing.map((n) => deps.invoices.get(subscription.subscriptionId, n)));
  return [...invoices, ...read.filter((invoice) => invoice !== undefined)];
}
