import type { Distribution } from '../../invoices/allocation.ts';
import { dueMinor } from '../../invoices/due.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { isTaxed } from '../../invoices/tax.ts';
import { sumMinor } from '../../shared/money/money.ts';
import { clock } from '../../shared/runtime/clock.ts';
import type { SubscriptionWithClient } from '../../subscriptions/commands/subscription-store.ts';
import type { ReissuedInvoice } from '../../subscriptions/machine/event.ts';
import { toleranceMinor } from '../../subscriptions/record/policy.ts';
import { hasEnded, type Subscription } from '../../subscriptions/record/subscription.ts';
import { findConcurrent, isAlone, isKept } from './other-subscriptions.ts';
import { closedInvoices } from './place.ts';
import { hasAllParts, type Money, maxParts, openAgain, type Placement, placementFor } from './placement.ts';

type InvoiceOfSubscription = Pick<Invoice, 'subscriptionId' | 'n'>;

/** An invoice that does not take its part: no more than `dueMinor` is due of it, or there is another problem. */
export type Misfit = { readonly kind: 'misfit'; readonly n: number } & (
  | { readonly dueMinor: number }
  | { readonly problem: string }
);

/**
 * Where the parts go. The effects are those of any payment: a term begins, an ended subscription is active again, a debt
 * is paid. Void invoices without tax take their whole amount, if it makes the subscription active again.
 *
 * @param paymentId the payment that the parts are of.
 * @param leaving the parts that the money leaves: a subscription that is overdue without them rules out no other one of its
 * client.
 */
export async function exactPlacement(
  current: Pick<SubscriptionWithClient, 'subscription' | 'client'>,
  money: Omit<Money, 'amountMinor'>,
  parts: Distribution['parts'],
  { paymentId, leaving }: { paymentId: string; leaving: readonly InvoiceOfSubscription[] },
): Promise<Exclude<Placement, { kind: 'unapplied' | 'credit' }> | Misfit> {
  const { status, openInvoices, policy } = current.subscription;
  const isEnded = hasEnded(status);
  const closed = await closedInvoices(current);
  if (isEnded) {
    const all = { ...money, amountMinor: sumMinor(parts) };
    const usual = placementFor(current, all, { named: undefined, closed }, clock.nowMs());
    const isRevived =
      usual.kind === 'revive' &&
      areSame(usual.distribution.parts, asIssuedAnew(parts, usual.revival.reissued));
    if (isRevived && (await isAlone(current))) return usual;
  }
  const other = status === 'pending' ? await findConcurrent(current) : undefined;
  if (other !== undefined && isKept(other) && !isOverdueWithout(leaving, other))
    return misfitOf(parts, 'is of a subscription beside another one of the client that runs');
  const payable = isEnded ? closed.owed.map(openAgain) : openInvoices;
  const paid: number[] = [];
  for (const { n, amountMinor } of parts) {
    const open = payable.find((one) => one.n === n);
    const due = open === undefined ? 0 : dueMinor(open);
    const closedAtEnd = closed.atEnd.find((one) => one.n === n);
    if (open === undefined && closedAtEnd !== undefined)
      return { kind: 'misfit', n, problem: voidProblem(closedAtEnd) };
    if (amountMinor > due) return { kind: 'misfit', n, dueMinor: due };
    if (due - amountMinor <= toleranceMinor(policy, money.currency)) paid.push(n);
    else if (hasAllParts(open, paymentId))
      return { kind: 'misfit', n, problem: `has parts of ${maxParts} payments` };
  }
  const ofOpen = paid.length > 0 ? 'pay' : 'part';
  return { kind: isEnded ? 'debt' : ofOpen, distribution: { paid, parts, overpaymentMinor: 0 } };
}

/** Whether an invoice that was paid makes the subscription overdue when its money leaves. A paused one stays paused. */
const isOverdueWithout = (
  leaving: readonly InvoiceOfSubscription[],
  { subscriptionId, status, openInvoices }: Subscription,
): boolean =>
  status === 'active' &&
  leaving.some((one) => one.subscriptionId === subscriptionId && openInvoices.every(({ n }) => n !== one.n));

/** One with tax has a cancellation document: a payment of its subscription is for another invoice, which is issued then. */
const voidProblem = (invoice: Invoice): string =>
  isVoidForGood(invoice)
    ? 'is void for good: apply the payment to its subscription'
    : `is ${invoice.status}: the amount does not make its subscription active again`;

const isVoidForGood = (invoice: Invoice) => invoice.status === 'void' && isTaxed(invoice);

/** The parts for the invoices that are issued in place of those that the seller names. One that is void for good is not named. */
const asIssuedAnew = (
  parts: Distribution['parts'],
  reissued: readonly ReissuedInvoice[],
): Distribution['parts'] =>
  parts.map(({ n, amountMinor }) => {
    const again = reissued.find(({ former }) => former.n === n && !isVoidForGood(former));
    return { n: again?.n ?? n, amountMinor };
  });

const areSame = (some: Distribution['parts'], others: Distribution['parts']) =>
  some.length === others.length &&
  others.every(({ n, amountMinor }) => some.some((part) => part.n === n && part.amountMinor === amountMinor));

function misfitOf([first]: Distribution['parts'], problem: string): Misfit {
  return { kind: 'misfit', n: first?.n ?? 0, problem };
}
