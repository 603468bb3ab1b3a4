/** Places parts of a payment on exactly the invoices that the seller names. */
import { dueMinor } from '../../invoices/due.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { isTaxed } from '../../invoices/tax.ts';
import type { SubscriptionWithClient } from '../../subscriptions/commands/subscription-store.ts';
import { toleranceMinor } from '../../subscriptions/record/policy.ts';
import { hasEnded, type Subscription } from '../../subscriptions/record/subscription.ts';
import { findConcurrent, isKept } from './apply-to-invoices.ts';
import { settlementDeps } from './event.ts';
import { isAlone } from './other-subscriptions.ts';
import { closedInvoices } from './place.ts';
import { hasAllParts, type Money, maxParts, openAgain, type Placement, placementFor } from './placement.ts';

const deps = settlementDeps;

/** A part of a payment for the n-th invoice of a subscription, in minor units. */
export interface ExactPart {
  readonly n: number;
  readonly amountMinor: number;
}

type InvoiceOfSubscription = Pick<Invoice, 'subscriptionId' | 'n'>;

/** An invoice that does not take its part: no more than `dueMinor` is due of it, or there is another problem. */
export type Misfit = { readonly kind: 'misfit'; readonly n: number } & (
  | { readonly dueMinor: number }
  | { readonly problem: string }
);

/**
 * Where the parts go. The effects are those of any payment: a term begins, an ended subscription is active again, a debt
 * is paid.
 *
 * @param paymentId the payment that the parts are of.
 * @param leaving the parts that the money leaves: a subscription that is overdue without them rules out no other one of its
 * client.
 */
export async function exactPlacement(
  current: Pick<SubscriptionWithClient, 'subscription' | 'client'>,
  money: Omit<Money, 'amountMinor'>,
  parts: readonly ExactPart[],
  { paymentId, leaving }: { paymentId: string; leaving: readonly InvoiceOfSubscription[] },
): Promise<Exclude<Placement, { kind: 'unapplied' | 'credit' }> | Misfit> {
  const { client, subscription } = current;
  const { status, openInvoices, policy } = subscription;
  if (hasEnded(status)) return afterEnd(current, money, parts);
  const other = status === 'pending' ? await findConcurrent(client, subscription, deps) : undefined;
  if (other !== undefined && isKept(other) && !isOverdueWithout(leaving, other))
    return misfitOf(parts, 'is of a subscription beside another one of the client that runs');
  const paid: number[] = [];
  for (const { n, amountMinor } of parts) {
    const open = openInvoices.find((one) => one.n === n);
    const due = open === undefined ? 0 : dueMinor(open);
    if (amountMinor > due) return { kind: 'misfit', n, dueMinor: due };
    if (due - amountMinor <= toleranceMinor(policy, money.currency)) paid.push(n);
    else if (hasAllParts(open, paymentId))
      return { kind: 'misfit', n, problem: `has parts of ${maxParts} payments` };
  }
  const distribution = { paid, parts, overpaymentMinor: 0 };
  return { kind: paid.length > 0 ? 'pay' : 'part', distribution };
}

/** Whether an invoice that was paid makes the subscription overdue when its money leaves. A paused one stays paused. */
const isOverdueWithout = (
  leaving: readonly InvoiceOfSubscription[],
  { subscriptionId, status, openInvoices }: Subscription,
): boolean =>
  status === 'active' &&
  leaving.some((one) => one.subscriptionId === subscriptionId && openInvoices.every(({ n }) => n !== one.n));

/** Invoices that are owed take a part. Void ones without tax take their whole amount, if it makes the subscription active again. */
async function afterEnd(
  current: Pick<SubscriptionWithClient, 'subscription' | 'client'>,
  money: Omit<Money, 'amountMinor'>,
  parts: readonly ExactPart[],
): ReturnType<typeof exactPlacement> {
  const [closed, mayRevive] = await Promise.all([closedInvoices(current), isAlone(current, deps)]);
  const { policy } = current.subscription;
  const amountMinor = parts.reduce((sum, part) => sum + part.amountMinor, 0);
  const usual = placementFor(
    current,
    { ...money, amountMinor },
    { named: undefined, closed },
    deps,
    mayRevive,
  );
  if (usual.kind === 'revive' && areSame(usual.distribution.parts, parts)) return usual;
  const paid: number[] = [];
  for (const { n, amountMinor: partMinor } of parts) {
    const owed = closed.owed.find((one) => one.n === n);
    const due = owed && dueMinor(openAgain(owed));
    const closedAtEnd = closed.atEnd.find((one) => one.n === n);
    if (due === undefined && closedAtEnd !== undefined)
      return { kind: 'misfit', n, problem: voidProblem(closedAtEnd) };
    if (partMinor > (due ?? 0)) return { kind: 'misfit', n, dueMinor: due ?? 0 };
    if (due !== undefined && due - partMinor <= toleranceMinor(policy, money.currency)) paid.push(n);
  }
  return { kind: 'debt', distribution: { paid, parts, overpaymentMinor: 0 } };
}

/** One with tax has a cancellation document: a payment of its subscription is for another invoice, which is issued then. */
const voidProblem = (invoice: Invoice): string =>
  isTaxed(invoice)
    ? 'is void for good: apply the payment to its subscription'
    : 'is void: the amount does not make its subscription active again';

const areSame = (some: readonly ExactPart[], others: readonly ExactPart[]) =>
  some.length === others.length &&
  others.every(({ n, amountMinor }) => some.some((part) => part.n === n && part.amountMinor === amountMinor));

function misfitOf([first]: readonly ExactPart[], problem: string): Misfit {
  return { kind: 'misfit', n: first?.n ?? 0, problem };
}
