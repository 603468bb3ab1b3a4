/** Applies money to a subscription, as its placement says: one transaction for the payment and all that it changes. */

import type { Invoice } from '../../invoices/invoice.ts';
import { receivable, transfer } from '../../ledger/entry.ts';
import { gapOf, type PaymentChange, type UnappliedReason } from '../../ledger/payment.ts';
import { changedPayment, heldAfter, settledStatus } from '../../ledger/payment-change.ts';
import { defined } from '../../shared/contract/defined.ts';
import { runDueSteps, scheduleChangeFollowUp } from '../../subscriptions/commands/run-due-steps.ts';
import type { SubscriptionWithClient } from '../../subscriptions/commands/subscription-store.ts';
import type { Change } from '../../subscriptions/machine/decide.ts';
import type { Event } from '../../subscriptions/machine/event.ts';
import type { CommonContext } from '../../subscriptions/machine/transition-context.ts';
import { maxCharges } from '../../subscriptions/record/plan-change.ts';
import { hasExpired } from '../../subscriptions/record/revival.ts';
import type { Actor } from '../../subscriptions/record/timeline-entry.ts';
import { applyPayment } from './apply-to-invoices.ts';
import { settlementDeps, writeEvent } from './event.ts';
import type { Conflict, RecordedPayment, Refused } from './incoming-payment.ts';
import { givesBack, isGateway, movedEntry, waitingEntry } from './movement.ts';
import { isAlone, revivedClient } from './other-subscriptions.ts';
import { type ClosedInvoices, type Money, type Placement, placementFor } from './placement.ts';
import type { Target } from './target.ts';
import { invoicesOfChange, type PendingPayment, paymentWrites } from './writes.ts';

const deps = settlementDeps;

/** No term has more invoices: those of its charges, its own, and that of the next one. */
const maxOfTerm = maxCharges + 2;

/** Money to place, and who moves it. */
export interface PlacedMoney extends Money {
  readonly by: Actor;
  readonly sourceId: string;
  readonly isActivation?: true;
  /** In the words of the seller, for the timeline. */
  readonly reason?: string;
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

/** The payment with the money that a gateway gives back. */
export function withMoneyBack(
  base: PendingPayment['base'],
  { movement, amountMinor }: Pick<Money, 'movement' | 'amountMinor'>,
): PendingPayment['base'] {
  const back = givesBack[movement.kind];
  return back === undefined ? base : { ...base, [back]: base[back] - amountMinor };
}

const unfit = { kind: 'refused', reason: 'unfit' } as const;

/** The subscription that the money is for, and where the money goes. */
async function placementAt(
  target: Target,
  money: PlacedMoney,
): Promise<{ current: SubscriptionWithClient; placement: Placement }> {
  const { current, named } = await presentTarget(target, money);
  const closed = await closedInvoices(current);
  const placement = placementFor(current, money, { named, closed }, deps);
  if (placement.kind !== 'revive' || (await isAlone(current, deps))) return { current, placement };
  return { current, placement: placementFor(current, money, { named, closed }, deps, false) };
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
 * The invoices that were closed when the subscription ended, and those that are owed still. They are read after the
 * subscription: another request can have ended it since they were read with it. A debt can be older than the last term.
 */
export async function closedInvoices({
  subscription,
}: Pick<SubscriptionWithClient, 'subscription'>): Promise<ClosedInvoices> {
  if (subscription.status !== 'cancelled' && subscription.status !== 'expired')
    return { atEnd: [], owed: [] };
  const { endedAtMs, subscriptionId, debts } = subscription;
  const ofTerm = hasExpired(subscription) ? await deps.invoices.latest(subscriptionId, maxOfTerm) : [];
  const older = debts.filter((n) => ofTerm.every((one) => one.n !== n));
  const read = await Promise.all(older.map((n) => deps.invoices.get(subscriptionId, n)));
  const closed = [...ofTerm, ...read]
    .filter((invoice) => invoice !== undefined)
    .filter(({ status }) => status === 'void' || status === 'uncollectible')
    .toSorted((a, b) => a.n - b.n);
  return {
    atEnd: hasExpired(subscription) ? closed.filter(({ closedAtMs }) => closedAtMs === endedAtMs) : [],
    owed: closed.filter(({ n }) => debts.includes(n)),
  };
}

/** Writes what a placement says. */
export async function writePlacement(
  current: SubscriptionWithClient,
  money: PlacedMoney,
  placement: Placement,
  pending: PendingPayment,
): Promise<RecordedPayment | Conflict | Refused<'unfit'>> {
  if (placement.kind === 'unapplied') return unappliedAt(current, money, placement.reason, pending);
  const { amountMinor, movement } = money;
  const distribution =
    placement.kind === 'credit'
      ? { paid: [], parts: [], overpaymentMinor: amountMinor }
      : placement.distribution;
  const { paid, parts } = distribution;
  const invoices = await invoicesOf(current, [...paid, ...parts.map(({ n }) => n)]);
  let payment: PaymentChange | undefined;
  const more = (change: Change) => {
    const { previous, base, writes, announced, answered } = pending;
    const { externalId, subscriptionId } = pending.owner ?? change.next;
    const { unappliedReason, externalId: _, subscriptionId: __, ...fields } = base;
    const placed = {
      ...fields,
      ...heldAfter(base, change.books, invoicesOfChange(change, invoices), change.next),
      ...defined({ externalId, subscriptionId, answered: answered?.(change.next) }),
    };
    const status = settledStatus(placed, paid.length > 0 || base.status === 'applied');
    const reason = status === 'unapplied' ? unappliedReason : undefined;
    payment = changedPayment(
      previous,
      { ...placed, status, ...defined({ unappliedReason: reason }) },
      [...announced, 'applied'],
      deps.clock.nowMs(),
    );
    return paymentWrites(payment, writes(change.next));
  };
  const { currency, paymentId } = pending.base;
  // A debt was written off: what is paid of it is owed again.
  const owed = placement.kind === 'debt' ? parts : [];
  const booked = [
    ...owed.map(({ n, amountMinor }) =>
      transfer('write_off', { currency }, { from: { account: 'write_off' }, to: receivable(n), amountMinor }),
    ),
    movedEntry(movement, { currency, paymentId }, distribution),
  ];
  const received = { payment: paymentOf(pending, money), booked, paid, reason: money.reason };
  // A dispute or a refund was reported before the payment: it is taken back next.
  const mails = gapOf(withMoneyBack(pending.base, money)) === undefined ? 'sent' : 'held';
  const read = { ...current, invoices };
  const outcome = await writeAs(read, { ...money, mails }, placement, received, more);
  if (outcome.kind === 'conflict') return outcome;
  if (outcome.kind !== 'changed' || payment === undefined) return unfit;
  return { kind: 'changed', payment: payment.next, subscription: outcome.change.next };
}

async function writeAs(
  current: SubscriptionWithClient,
  { source, sourceId, movement, isActivation, by, mails }: PlacedMoney & Pick<CommonContext, 'mails'>,
  placement: Placement,
  { paid, ...received }: Pick<Event<'payment'>, 'payment' | 'booked' | 'paid' | 'reason'>,
  more: (change: Change) => ReturnType<typeof paymentWrites>,
): ReturnType<typeof applyPayment> {
  // The gateway's id. The sandbox counts the payments of an invoice by it.
  const paymentId = isGateway(source) ? sourceId : undefined;
  const { status } = current.subscription;
  // A pending or a trialing subscription begins its term with it, as with any payment.
  const isReinstated = movement.kind === 'dispute_won' && status !== 'pending' && status !== 'trialing';
  switch (placement.kind) {
    case 'pay': {
      if (isReinstated)
        return writeEvent(
          current,
          { event: 'payment_reinstated', ...received, paid, paymentId },
          { by, mails },
          more,
        );
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
    case 'debt': {
      const event = isReinstated ? 'payment_reinstated' : 'debt_paid';
      return writeEvent(current, { event, ...received, paid, paymentId }, { by, mails }, more);
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
  const { amountMinor, movement, by } = money;
  const { previous, base, writes, announced, answered } = pending;
  const booked = [waitingEntry(movement, base, amountMinor)];
  let payment: PaymentChange | undefined;
  const invoice = current.invoices.find(({ invoiceId }) => invoiceId === base.invoiceId)?.number;
  const unapplied = { paymentId: base.paymentId, ...defined({ invoice }) };
  const event = {
    event: 'payment_unapplied',
    payment: paymentOf(pending, money),
    unapplied,
    booked,
  } as const;
  const more = (change: Change) => {
    const fields: PendingPayment['base'] = {
      ...base,
      ...heldAfter(base, change.books, invoicesOfChange(change, []), change.next),
      status: 'unapplied',
      unappliedReason: reason,
      ...defined({ answered: answered?.(current.subscription) }),
    };
    payment = changedPayment(previous, fields, [...announced, 'unapplied'], deps.clock.nowMs());
    return paymentWrites(payment, writes(change.next));
  };
  const outcome = await writeEvent(current, event, { by }, more);
  if (outcome.kind !== 'changed' || payment === undefined) return { kind: 'conflict' };
  return { kind: 'changed', payment: payment.next, subscription: outcome.change.next };
}

/** The payment as its event names it. Of money that waited, others may have had a part. */
const paymentOf = (
  { base: { paymentId, amountMinor, currency } }: PendingPayment,
  money: Pick<Money, 'movement' | 'amountMinor'>,
) => ({
  paymentId,
  amountMinor: money.movement.kind === 'allocation' ? money.amountMinor : amountMinor,
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
