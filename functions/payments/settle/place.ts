import { gapOf } from '../../ledger/payment.ts';
import { heldAfter, ownedBy } from '../../ledger/payment-change.ts';
import { reinstated } from '../../ledger/settled.ts';
import { defined } from '../../shared/contract/defined.ts';
import type { MoreWrites, SubscriptionWithClient } from '../../subscriptions/commands/subscription-store.ts';
import type { Change } from '../../subscriptions/machine/decide.ts';
import type { CommonContext, Event } from '../../subscriptions/machine/event.ts';
import { maxCharges } from '../../subscriptions/record/plan-change.ts';
import { hasExpired } from '../../subscriptions/record/revival.ts';
import type { Actor } from '../../subscriptions/record/timeline-entry.ts';
import { getCurrent, settlementDeps, withInvoices, writeEvent } from './event.ts';
import type { Conflict, RecordedPayment, Refused } from './incoming-payment.ts';
import { isGateway, movedEntry, waitingEntry } from './movement.ts';
import { applyPayment, isAlone, runningClient } from './other-subscriptions.ts';
import { type ClosedInvoices, type Money, type Placement, placementFor } from './placement.ts';
import type { Target } from './target.ts';
import { noInvoice, type PendingPayment, writeMoved, writeMovedAlone } from './writes.ts';

const deps = settlementDeps;

/** No term has more invoices: those of its charges, its own, and that of the next one. */
const maxOfTerm = maxCharges + 2;

export interface PlacedMoney extends Money {
  readonly by: Actor;
  readonly isActivation?: true;
  /** In the words of the seller, for the timeline. */
  readonly reason?: string;
}

/** Settles a payment. Money that fits nothing is unapplied, and so is money without a target. */
export async function settlePayment(
  target: Target | undefined,
  money: PlacedMoney,
  pending: PendingPayment,
): Promise<RecordedPayment | Conflict> {
  if (target === undefined) {
    const announced = [...pending.announced, 'unapplied'] as const;
    const waiting = waitingEntry(money.movement, pending.base, money.amountMinor);
    return writeMovedAlone({ ...pending, announced }, [waiting]);
  }
  const { current, placement } = await placementAt(target, money);
  const written = await writeFor(current, money, placement, pending);
  if (written.kind !== 'refused') return written;
  // Another subscription of the client is active or paused.
  const waiting = { kind: 'unapplied', reason: 'other_subscription' } as const;
  const unapplied = await writePlacement(current, money, waiting, pending);
  return unapplied.kind === 'refused' ? { kind: 'conflict' } : unapplied;
}

/** Settles money that must not wait for a decision: the seller has made it. */
export async function settleDecided(
  target: Target,
  money: PlacedMoney,
  pending: PendingPayment,
): Promise<RecordedPayment | Conflict | Refused<'unfit'>> {
  const { current, placement } = await placementAt(target, money);
  if (placement.kind !== 'unapplied') return writeFor(current, money, placement, pending);
  // Money for an ended subscription is credit if the seller says so.
  if (placement.reason !== 'subscription_ended') return { kind: 'refused', reason: 'unfit' };
  return writeFor(current, money, { kind: 'credit' }, pending);
}

/** Writes a placement. The payment is for the subscription that has its money. */
function writeFor(
  current: SubscriptionWithClient,
  money: PlacedMoney,
  placement: Placement,
  pending: PendingPayment,
): ReturnType<typeof writePlacement> {
  if (placement.kind === 'unapplied') return writePlacement(current, money, placement, pending);
  const { externalId, subscriptionId } = current.subscription;
  const base = ownedBy(pending.base, { externalId, subscriptionId });
  return writePlacement(current, money, placement, { ...pending, base });
}

/** The subscription that the money is for, and where the money goes. */
async function placementAt(
  target: Target,
  money: PlacedMoney,
): Promise<{ current: SubscriptionWithClient; placement: Placement }> {
  const own = await closedInvoices(target.current);
  const isOwed = own.owed.some(({ currency }) => currency === money.currency);
  const { current, named } = isOwed ? target : await presentTarget(target, money);
  const closed = current === target.current ? own : await closedInvoices(current);
  const placement = placementFor(current, money, { named, closed }, deps.clock.nowMs());
  if (placement.kind !== 'revive' || (await isAlone(current))) return { current, placement };
  return { current, placement: placement.besideAnother };
}

/**
 * Money for a subscription that another one replaced, and that owes nothing, is for that one, if it has something to pay. Otherwise
 * it is credit of the client, at the subscription that the payer named.
 */
async function presentTarget(target: Target, { currency }: Money): Promise<Target> {
  const { client, subscription } = target.current;
  const { endReason, applicationId, externalId } = subscription;
  const presentId = client.pendingId ?? client.runningId;
  const isReplaced = endReason === 'superseded' || endReason === 'replaced';
  if (!isReplaced || presentId === undefined || presentId === subscription.subscriptionId) return target;
  const current = await getCurrent({ applicationId, externalId, subscriptionId: presentId });
  if (current === undefined) return target;
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

export async function writePlacement(
  current: SubscriptionWithClient,
  money: PlacedMoney,
  placement: Placement,
  pending: PendingPayment,
): Promise<RecordedPayment | Conflict | Refused<'unfit'>> {
  const { amountMinor, movement, reason } = money;
  const { base, announced } = pending;
  const isWaiting = placement.kind === 'unapplied';
  const distribution =
    'distribution' in placement
      ? placement.distribution
      : { paid: [], parts: [], overpaymentMinor: amountMinor };
  const { paid, parts } = distribution;
  const read = await withInvoices(current, [...paid, ...parts.map(({ n }) => n)]);
  const { currency } = base;
  // A debt was given up: what is paid of it is owed again.
  const owed = placement.kind === 'debt' ? parts : [];
  const waiting = waitingEntry(movement, base, amountMinor);
  const placed = [
    ...owed.flatMap(({ n, amountMinor }) => {
      const settled = read.invoices.find((one) => one.n === n)?.settled;
      return reinstated({ n, currency, settled }, amountMinor);
    }),
    movedEntry(movement, base, distribution),
  ];
  const booked = isWaiting ? [waiting] : placed;
  const received = { payment: paymentOf(base, money), booked, paid, reason };
  // A dispute or a refund was reported before the payment: it is taken back next.
  const arrived = { ...base, ...heldAfter(base, [waiting], noInvoice, undefined) };
  const mails = gapOf(arrived) === undefined ? 'sent' : 'held';
  const moved = {
    ...pending,
    base: isWaiting ? { ...base, unappliedReason: placement.reason } : base,
    announced: [...announced, isWaiting ? 'unapplied' : 'applied'],
  } as const;
  return writeMoved(moved, read.invoices, (more) =>
    writeAs(read, { ...money, mails, base }, placement, received, more),
  );
}

async function writeAs(
  current: SubscriptionWithClient,
  {
    source,
    movement,
    isActivation,
    by,
    mails,
    base,
  }: PlacedMoney & Pick<CommonContext, 'mails'> & Pick<PendingPayment, 'base'>,
  placement: Placement,
  { paid, ...received }: Pick<Event<'payment'>, 'payment' | 'booked' | 'paid' | 'reason'>,
  more: (change: Change) => MoreWrites,
): ReturnType<typeof applyPayment> {
  // The gateway's id. The sandbox counts the payments of an invoice by it.
  const paymentId = isGateway(source) ? base.sourceId : undefined;
  const pays = { ...received, paid, paymentId };
  const { client, subscription } = current;
  const { status } = subscription;
  // A pending or a trialing subscription begins its term with it, as with any payment.
  const isReinstated = movement.kind === 'dispute_won' && status !== 'pending' && status !== 'trialing';
  switch (placement.kind) {
    case 'pay': {
      if (isReinstated)
        return writeEvent(current, { event: 'payment_reinstated', ...pays }, { by, mails }, more);
      const payment = { ...pays, isSandbox: source === 'sandbox', isActivation: isActivation === true };
      return applyPayment(current, payment, { by, mails }, more);
    }
    case 'revive': {
      const { revival } = placement;
      const revived = { event: 'payment_revived', isRevivable: true, revival, ...pays } as const;
      const beside = () => ({ client: runningClient(client, subscription) });
      return writeEvent(current, revived, { by, mails }, more, beside);
    }
    case 'debt': {
      const event = isReinstated ? 'payment_reinstated' : 'debt_paid';
      return writeEvent(current, { event, ...pays }, { by, mails }, more);
    }
    case 'part':
      return writeEvent(current, { event: 'partial_payment', ...received }, { by, mails }, more);
    case 'credit':
      return writeEvent(current, { event: 'payment_credited', ...received }, { by, mails }, more);
    case 'unapplied': {
      const invoice = current.invoices.find(({ invoiceId }) => invoiceId === base.invoiceId)?.number;
      const unapplied = { paymentId: base.paymentId, ...defined({ invoice }) };
      return writeEvent(current, { event: 'payment_unapplied', ...received, unapplied }, { by }, more);
    }
  }
}

/** The payment as its event names it. Of money that waited, others may have had a part. */
const paymentOf = (
  { paymentId, amountMinor, currency }: PendingPayment['base'],
  money: Pick<Money, 'movement' | 'amountMinor'>,
) => ({
  paymentId,
  amountMinor: money.movement.from === 'unallocated' ? money.amountMinor : amountMinor,
  currency,
});
