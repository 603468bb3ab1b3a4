/** Applies money to a subscription, as its placement says: one transaction for the payment and all that it changes. */

import type { Invoice } from '../../invoices/invoice.ts';
import { defined } from '../../shared/contract/defined.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { runDueSteps, scheduleChangeFollowUp } from '../../subscriptions/commands/run-due-steps.ts';
import type { SubscriptionWithClient } from '../../subscriptions/commands/subscription-store.ts';
import type { Change, Outcome } from '../../subscriptions/machine/decide.ts';
import type { TransitionContext } from '../../subscriptions/machine/transition-context.ts';
import { maxCharges } from '../../subscriptions/record/plan-change.ts';
import { hasExpired } from '../../subscriptions/record/revival.ts';
import type { Actor, Subscription } from '../../subscriptions/record/subscription.ts';
import type { PaymentChange, UnappliedReason } from '../record/payment.ts';
import { applyPayment } from './apply-to-invoices.ts';
import { changedPayment, settledStatus } from './change.ts';
import { settlementDeps, writeEvent } from './event.ts';
import type { RecordedPayment } from './incoming-payment.ts';
import { isAlone, revivedClient } from './other-subscriptions.ts';
import { type Money, type Placement, placementOf } from './placement.ts';
import type { Target } from './target.ts';
import { allocationsOf, paymentWrites, type Recording } from './writes.ts';

const deps = settlementDeps;

/** No term has more invoices: those of its charges, its own, and that of the next one. */
const maxOfTerm = maxCharges + 2;

/** Money to place, and who moves it. */
export interface PlacedMoney extends Money {
  readonly by: Actor;
  readonly sourceId: string;
  readonly isActivation?: true;
  readonly isAnswered?: true;
}

/** @returns undefined after a concurrent write; `unfit` when money that must not wait does not fit. */
export async function placeAt(
  target: Target,
  money: PlacedMoney,
  recording: Recording,
): Promise<RecordedPayment | 'unfit' | undefined> {
  const { current, named } = await presentTarget(target, money);
  const closed = await closedAtEnd(current);
  let placement = placementOf(current, money, { named, closed }, deps);
  if (placement.kind === 'revive' && !(await isAlone(current, deps))) placement = { kind: 'credit' };
  if (recording.mustFit && placement.kind === 'unapplied') {
    // Money for an ended subscription is credit if the seller says so.
    if (placement.reason !== 'subscription_ended') return 'unfit';
    placement = { kind: 'credit' };
  }
  const written = await writePlacement(current, money, placement, recording);
  if (written !== 'refused') return written;
  if (recording.mustFit) return 'unfit';
  // Another subscription of the client is active or paused.
  return unappliedAt(current, money, 'other_subscription', recording);
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
 * request can have ended it since they were read with it. What a dispute reopened can be older than the last term.
 */
async function closedAtEnd({ subscription }: SubscriptionWithClient): Promise<Invoice[]> {
  const { endedAtMs, subscriptionId, reversedAtEnd = [] } = subscription;
  if (!hasExpired(subscription)) return [];
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
  recording: Recording,
): Promise<RecordedPayment | 'refused' | undefined> {
  if (placement.kind === 'unapplied') return unappliedAt(current, money, placement.reason, recording);
  const { amountMinor } = money;
  const distribution =
    placement.kind === 'credit'
      ? { paid: [], parts: [], overpaymentMinor: amountMinor }
      : placement.distribution;
  const { paid, parts, overpaymentMinor } = distribution;
  const invoices = await invoicesOf(current, [...paid, ...parts.map(({ n }) => n)]);
  let payment: PaymentChange | undefined;
  const more = (change: Change) => {
    const { previous, base, writes, announced } = recording;
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
      ...answeredOf(money, change.next),
    };
    const status = settledStatus(placed, paid.length > 0);
    payment = changedPayment(previous, { ...placed, status }, [...announced, 'applied'], deps.clock.nowMs());
    return paymentWrites(payment, writes(change.next));
  };
  const isFollowed = followsAtOnce(recording) || undefined;
  const context = {
    ...contextOf(money, recording),
    parts,
    ...creditOf(overpaymentMinor),
    ...defined({ isFollowed }),
  };
  const read = { ...current, invoices };
  const outcome = await writeAs(read, money, placement, { ...context, paid }, more);
  if (outcome === 'refused') return 'refused';
  if (outcome.kind === 'conflict') return undefined;
  if (outcome.kind !== 'changed' || payment === undefined) return 'refused';
  return { kind: 'recorded', payment: payment.next, subscription: outcome.change.next };
}

type EventContext = Pick<
  TransitionContext,
  'by' | 'payment' | 'parts' | 'creditMinor' | 'paid' | 'isFollowed'
>;

/** A dispute or a refund was reported before the payment: it is recorded next. */
const followsAtOnce = ({ base: { reversalOf, earlierRefundMinor = 0 } }: Recording) =>
  reversalOf === true || earlierRefundMinor > 0;

async function writeAs(
  current: SubscriptionWithClient,
  { source, sourceId, isActivation }: PlacedMoney,
  placement: Placement,
  context: EventContext,
  more: (change: Change) => ReturnType<typeof paymentWrites>,
): Promise<Outcome | 'refused'> {
  const isAtGateway = source === 'stripe' || source === 'sandbox';
  // The gateway's id. The sandbox counts the payments of an invoice by it.
  const paymentId = isAtGateway ? sourceId : undefined;
  switch (placement.kind) {
    case 'pay':
      try {
        const isSandbox = source === 'sandbox' || undefined;
        const payment = { ...context, ...defined({ paymentId, isSandbox, isActivation }) };
        const outcome = await applyPayment(current, payment, deps, more);
        if (outcome.kind === 'changed') await scheduleChangeFollowUp(outcome.change, deps);
        return outcome;
      } catch (error) {
        if (error instanceof ApiError && error.code === 'conflict') return 'refused';
        throw error;
      }
    case 'revive': {
      const { revival } = placement;
      const event = { event: 'payment_revived', isRevivable: true, revival, ...context } as const;
      return writeEvent(current, { ...event, ...defined({ paymentId }) }, more, revivedClient(current));
    }
    case 'part':
      return writeEvent(current, { event: 'partial_payment', ...context }, more);
    default:
      return writeEvent(current, { event: 'payment_credited', ...context }, more);
  }
}

async function unappliedAt(
  current: SubscriptionWithClient,
  money: PlacedMoney,
  reason: UnappliedReason,
  recording: Recording,
): Promise<RecordedPayment | undefined> {
  const { previous, base, writes, announced } = recording;
  const answered = answeredOf(money, current.subscription);
  const fields: Recording['base'] = { ...base, status: 'unapplied', unappliedReason: reason, ...answered };
  const change = changedPayment(previous, fields, [...announced, 'unapplied'], deps.clock.nowMs());
  const { payment, by } = contextOf(money, recording);
  const invoice = current.invoices.find(({ invoiceId }) => invoiceId === base.invoiceId)?.number;
  const unapplied = { paymentId: base.paymentId, ...defined({ invoice }) };
  const event = { event: 'payment_unapplied', by, payment, unapplied } as const;
  const outcome = await writeEvent(current, event, ({ next }) => paymentWrites(change, writes(next)));
  if (outcome.kind !== 'changed') return undefined;
  return { kind: 'recorded', payment: change.next, subscription: outcome.change.next };
}

function contextOf({ by }: PlacedMoney, { base: { paymentId, amountMinor, currency } }: Recording) {
  return { by, payment: { paymentId, amountMinor, currency } };
}

function answeredOf({ isAnswered }: PlacedMoney, { status, termEndMs }: Subscription) {
  return isAnswered ? { answered: { status, ...defined({ termEndMs }) } } : {};
}

const creditOf = (overpaymentMinor: number) =>
  overpaymentMinor === 0 ? {} : { creditMinor: overpaymentMinor };

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
