/** Where the money of a payment goes, by the state of its subscription. */

import { allocate, type Distribution, type Payable } from '../../invoices/allocation.ts';
import { dueMinor } from '../../invoices/due.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { isTaxed } from '../../invoices/tax.ts';
import { credit as creditAccount, receivable, transfer } from '../../ledger/entry.ts';
import type { Payment, UnappliedReason } from '../../ledger/payment.ts';
import { reopened, settledAfter } from '../../ledger/settled.ts';
import { defined } from '../../shared/contract/defined.ts';
import { dayMs } from '../../shared/runtime/clock.ts';
import type { SubscriptionWithClient } from '../../subscriptions/commands/subscription-store.ts';
import { firstInvoiceAhead } from '../../subscriptions/machine/documents.ts';
import type { Event, ReissuedInvoice } from '../../subscriptions/machine/event.ts';
import { toleranceMinor } from '../../subscriptions/record/policy.ts';
import { hasExpired, revivableUntilMs } from '../../subscriptions/record/revival.ts';
import type {
  EndedSubscription,
  OpenInvoice,
  Subscription,
} from '../../subscriptions/record/subscription.ts';
import { endOfTerm } from '../../subscriptions/record/term.ts';
import { isGateway, type Movement } from './movement.ts';

/** Money to place, in minor units. */
export interface Money extends Readonly<Pick<Payment, 'source' | 'amountMinor' | 'currency' | 'valueAtMs'>> {
  readonly movement: Movement;
}

export type Placement =
  | UnrevivedPlacement
  | {
      readonly kind: 'revive';
      readonly distribution: Distribution;
      readonly revival: Event<'payment_revived'>['revival'];
      /** Where the money goes when the client has another subscription that runs or is pending. */
      readonly besideAnother: UnrevivedPlacement;
    };

/** That of a payment which makes no ended subscription active again. */
type UnrevivedPlacement =
  /** `debt`: invoices of an ended subscription whose terms were granted. */
  | { readonly kind: 'pay' | 'part' | 'debt'; readonly distribution: Distribution }
  | { readonly kind: 'credit' }
  | { readonly kind: 'unapplied'; readonly reason: UnappliedReason };

/** The closed invoices of an ended subscription that money can be for, oldest first. */
export interface ClosedInvoices {
  /** Those that were closed at its end: all of them paid, it is active again. */
  readonly atEnd: readonly Invoice[];
  /** Those that are owed still, because their terms were granted. */
  readonly owed: readonly Invoice[];
}

/**
 * Where money goes that is for a subscription. A gateway names an invoice, and can take the money back: what it reports
 * twice waits for the seller. A transfer cannot be taken back, so what is left is credit.
 *
 * @param named the invoice that the payer or the gateway named.
 * @param closed for an ended subscription.
 */
export function placementFor(
  { subscription, client }: Pick<SubscriptionWithClient, 'subscription' | 'client'>,
  money: Money,
  { named, closed }: { named: Invoice | undefined; closed: ClosedInvoices },
  nowMs: number,
): Placement {
  if (subscription.status === 'cancelled' || subscription.status === 'expired')
    return placementAfterEnd(subscription, client.credit ?? {}, money, closed, nowMs);
  const isNamedOpen = subscription.openInvoices.some(({ n }) => n === named?.n);
  if (isGateway(money.source) && isTwice(money.movement, named, isNamedOpen))
    return { kind: 'unapplied', reason: 'duplicate' };
  const open = payableInvoices(subscription, client);
  if (!open.some(({ currency }) => currency === money.currency)) {
    const isOwnCurrency = open.length === 0 && subscription.plan.currency === money.currency;
    return isOwnCurrency ? { kind: 'credit' } : { kind: 'unapplied', reason: 'currency' };
  }
  const tolerance = toleranceMinor(subscription.policy, money.currency);
  const distribution = allocate(open, { ...money, toleranceMinor: tolerance, firstN: named?.n });
  if (distribution.paid.length > 0) return { kind: 'pay', distribution };
  // The invoice of the trial is not issued yet: it uses the credit.
  const { openInvoices } = subscription;
  const isPart = ({ n }: OpenInvoice) => distribution.parts.some((part) => part.n === n);
  return openInvoices.length === 0 || openInvoices.some((one) => isPart(one) && hasAllParts(one))
    ? { kind: 'credit' }
    : { kind: 'part', distribution };
}

/** Whether the invoice that a gateway named was paid otherwise. What it gives back can be for other invoices too. */
function isTwice({ kind }: Movement, named: Invoice | undefined, isNamedOpen: boolean): boolean {
  if (named === undefined || kind === 'refund_failed') return false;
  if (kind !== 'dispute_won') return !isNamedOpen;
  // One that was open when it was read, and is not in the subscription, was closed between the two reads.
  return named.status === 'paid' || (named.status === 'open' && !isNamedOpen);
}

/** Each part is a payment that is written when its invoice is closed: further ones are credit, which the invoice uses. */
export const maxParts = 20;

/** @param paymentId of a payment that can have a part of the invoice already. */
export const hasAllParts = ({ parts = [] }: Pick<OpenInvoice, 'parts'> = {}, paymentId?: string): boolean =>
  parts.length >= maxParts && parts.every((part) => part.paymentId !== paymentId);

/** The open invoices. During a trial, a payment can come before the invoice of the first term: it is issued then. */
export function payableInvoices(
  subscription: Subscription,
  client: SubscriptionWithClient['client'],
): readonly Payable[] {
  const { status, openInvoices } = subscription;
  return status === 'trialing' && openInvoices.length === 0
    ? [firstInvoiceAhead(subscription, client)]
    : openInvoices;
}

/**
 * A subscription that expired unpaid revives if the payment is in time, or late by at most `reviveDays`, and nobody has cancelled
 * it since.
 */
function placementAfterEnd(
  subscription: EndedSubscription,
  credit: Readonly<Record<string, number>>,
  money: Money,
  { atEnd, owed }: ClosedInvoices,
  nowMs: number,
): Placement {
  const { currency } = money;
  const ofCurrency = (invoices: readonly Invoice[]) =>
    invoices.filter((invoice) => invoice.currency === currency);
  const allocated = (invoices: readonly OpenInvoice[]) =>
    allocate(invoices, { ...money, toleranceMinor: toleranceMinor(subscription.policy, currency) });
  const debts = ofCurrency(owed).map(unpaid);
  const toDebts = allocated(debts.map(openAgain));
  const besideAnother = withoutRevival(subscription, currency, ofCurrency(atEnd), toDebts);
  if (!hasExpired(subscription)) return besideAnother;
  const closed = ofCurrency(atEnd);
  const start = revivalStart(subscription, money, nowMs, closed.map(unpaid));
  const { present, reissued } = asReissued(closed, subscription, start?.startMs);
  const invoices = present.map(unpaid);
  const distribution = allocated(withCredit(invoices.map(openAgain), credit[currency] ?? 0));
  if (start !== undefined && invoices.length > 0 && distribution.paid.length === atEnd.length) {
    const revival = { invoices, reissued, startMs: start.startMs };
    return { kind: 'revive', distribution, revival, besideAnother };
  }
  // Only a reversal ended it: its term still runs.
  const isRestored = revivalStart(subscription, money, nowMs, debts) !== undefined;
  if (!isRestored || debts.length === 0 || toDebts.paid.length !== owed.length) return besideAnother;
  const revival = { invoices: debts, reissued: [], startMs: undefined };
  return { kind: 'revive', distribution: toDebts, revival, besideAnother };
}

/**
 * Where money goes that leaves the subscription ended: it pays what granted terms owe. Other money is credit. Money for one that was
 * cancelled while it ran waits for the seller.
 */
function withoutRevival(
  subscription: EndedSubscription,
  currency: string,
  atEnd: readonly Invoice[],
  toDebts: Distribution,
): UnrevivedPlacement {
  const { endReason, plan } = subscription;
  if (toDebts.parts.length > 0) return { kind: 'debt', distribution: toDebts };
  const isReplaced = endReason === 'superseded' || endReason === 'replaced';
  if (!isReplaced && !hasExpired(subscription)) return { kind: 'unapplied', reason: 'subscription_ended' };
  return plan.currency === currency || atEnd.length > 0
    ? { kind: 'credit' }
    : { kind: 'unapplied', reason: 'currency' };
}

/**
 * Where the term begins that a late payment buys. In time, by the gateway's time or the value date: where it would have
 * begun. Late, or reported when that term is over: now, less the days of grace that were used.
 *
 * @returns without `startMs`, the term continues from the old end; undefined when the subscription does not revive.
 */
function revivalStart(
  subscription: EndedSubscription,
  { valueAtMs, movement }: Money,
  nowMs: number,
  invoices: readonly OpenInvoice[],
): { readonly startMs?: number } | undefined {
  const untilMs = revivableUntilMs(subscription);
  if (untilMs === undefined) return undefined;
  // A dispute is won when it is won.
  if (movement.kind !== 'dispute_won' && Math.max(valueAtMs, nowMs) > untilMs) return undefined;
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

/**
 * Closed invoices as they can be paid. A void one with tax has a cancellation document, so it stays void; and a document never states a term
 * that was not. Both are issued again under the next number, for what credit notes have left of them.
 *
 * @param startMs since when the term counts; undefined for its old end.
 */
function asReissued(
  closed: readonly Invoice[],
  { invoiceCount }: EndedSubscription,
  startMs: number | undefined,
) {
  const reissued: ReissuedInvoice[] = [];
  const first = closed.find(isOfTermToCome);
  const isMoved = startMs !== undefined && startMs !== first?.periodStartMs;
  const present = closed.map((invoice) => {
    const isCancelled = invoice.status === 'void' && isTaxed(invoice);
    if (!isCancelled && !(isMoved && statesTermToCome(invoice))) return invoice;
    const { settled: { creditNotedMinor = 0 } = {}, ...fields } = invoice;
    const n = invoiceCount + reissued.length + 1;
    reissued.push({ n, former: invoice });
    return { ...fields, n, totalMinor: invoice.totalMinor - creditNotedMinor };
  });
  return { present, reissued };
}

const isOfTermToCome = ({ reversed, isGranted }: Invoice) => !reversed && !isGranted;

const statesTermToCome = (invoice: Invoice) => isOfTermToCome(invoice) && invoice.periodStartMs !== undefined;

function unpaid(invoice: Invoice): OpenInvoice {
  const { n, invoiceId, totalMinor, currency, settled, gateway, plan } = invoice;
  return {
    n,
    invoiceId,
    totalMinor,
    currency,
    ...defined({
      settled,
      atStripe: gateway !== 'none' || undefined,
      planOnPayment: isOfTermToCome(invoice) ? plan : undefined,
    }),
  };
}

/** A closed invoice as it is open again: what was cancelled or written off of it is owed. */
export function openAgain({ settled: closed, ...invoice }: OpenInvoice): OpenInvoice {
  const settled = settledAfter(closed, invoice.n, reopened({ ...invoice, settled: closed }));
  return { ...invoice, ...defined({ settled }) };
}

function withCredit(invoices: readonly OpenInvoice[], creditMinor: number): OpenInvoice[] {
  let leftMinor = Math.max(0, creditMinor);
  return invoices.map((invoice) => {
    const fromCreditMinor = Math.min(leftMinor, dueMinor(invoice));
    leftMinor -= fromCreditMinor;
    const used = transfer('credit', invoice, {
      from: receivable(invoice.n),
      to: creditAccount,
      amountMinor: fromCreditMinor,
    });
    const settled = settledAfter(invoice.settled, invoice.n, [used]);
    return { ...invoice, ...defined({ settled }) };
  });
}
