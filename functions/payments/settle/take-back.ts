import { dueMinor } from '../../invoices/due.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { creditAfter, type Entry, entry, receivable, release } from '../../ledger/entry.ts';
import { type Allocation, creditsOf, type Payment, unappliedMinor } from '../../ledger/payment.ts';
import { creditsAfter, type PaymentFields } from '../../ledger/payment-change.ts';
import { givenUp, keptMinor, reopened, settledAfter, takenFromCredit } from '../../ledger/settled.ts';
import { defined } from '../../shared/contract/defined.ts';
import { sumMinor } from '../../shared/money/money.ts';
import type { SubscriptionWithClient } from '../../subscriptions/commands/subscription-store.ts';
import type { Event, RefundedInvoice } from '../../subscriptions/machine/event.ts';
import type { OpenInvoice } from '../../subscriptions/record/subscription.ts';
import type { Actor } from '../../subscriptions/record/timeline-entry.ts';
import { getCurrent, settlementDeps, withInvoices, writeEvent } from './event.ts';
import type { Conflict, RecordedPayment } from './incoming-payment.ts';
import { type PendingPayment, writeMoved, writeMovedAlone } from './writes.ts';

const deps = settlementDeps;

/** How money leaves where it is: why, to which account, and who reports it. */
export interface Taking {
  /** `reversal`: a bank takes it. `allocation`: the seller moves it, and it waits. */
  readonly kind: 'dispute' | 'reversal' | 'refund' | 'allocation';
  readonly to: 'bank' | 'gateway' | 'unallocated';
  /** When the money moved outside the ledger, epoch milliseconds. */
  readonly valueAtMs?: number | undefined;
  readonly by: Actor;
  /** In the words of the seller, for the timeline. */
  readonly reason?: string;
  /** The seller says so, and no bank does. */
  readonly isStated?: true | undefined;
}

/**
 * Takes money back, in one transaction with all that it changes. A call takes from one client and one subscription: the caller
 * calls again while something is claimed.
 *
 * @param pending the payment with the claims that it has now.
 * @param amountMinor in minor units of its currency.
 */
export async function takeBack(
  pending: PendingPayment,
  taking: Taking,
  amountMinor: number,
): Promise<RecordedPayment | Conflict> {
  const { applicationId } = pending.base;
  const { owner, ...amounts } = shareOf(pending.base, amountMinor);
  const current = await getCurrent({ ...owner, applicationId });
  return takeShare(pending, taking, { ...amounts, current });
}

/** As {@link takeBack}, for a share that the caller chooses. */
export async function takeShare(
  pending: PendingPayment,
  taking: Taking,
  share: Share,
): Promise<RecordedPayment | Conflict> {
  const base = withUsed(pending.base, share);
  const ns = share.allocations.map(({ n }) => n);
  const current = share.current && (await withInvoices(share.current, ns));
  const taken = entriesOf(base, taking, share, current);
  const outcome = await (current === undefined
    ? writeMovedAlone(pending, taken.booked)
    : writeMoved({ ...pending, base }, current.invoices, (more) =>
        writeEvent(current, eventOf(base, taking, taken, current), { by: taking.by }, more),
      ));
  return outcome.kind === 'refused' ? { kind: 'conflict' } : outcome;
}

/** The payment, which keeps how much of the credit the client had used: they owe it when it is taken. */
function withUsed(payment: PaymentFields, { current, creditMinor }: Share): PaymentFields {
  const unusedMinor = Math.max(0, current?.client.credit?.[payment.currency] ?? 0);
  if (current === undefined || creditMinor <= unusedMinor) return payment;
  const usedMinor = creditMinor - unusedMinor;
  return { ...payment, credits: creditsAfter(creditsOf(payment), current.subscription, 0, usedMinor) };
}

export interface Share {
  /** The subscription of the invoices, or one of the client who has the credit. */
  readonly current: SubscriptionWithClient | undefined;
  readonly waitingMinor: number;
  readonly creditMinor: number;
  /** The parts of invoices, latest first. */
  readonly allocations: readonly Allocation[];
}

function shareOf(
  payment: PaymentFields,
  amountMinor: number,
): Omit<Share, 'current'> & { readonly owner: Pick<Payment, 'externalId' | 'subscriptionId'> } {
  const waitingMinor = Math.min(amountMinor, Math.max(0, unappliedMinor(payment)));
  const [credit, ...otherCredits] = creditsOf(payment)
    .filter((one) => one.amountMinor > 0)
    .toReversed();
  const creditMinor = Math.min(amountMinor - waitingMinor, credit?.amountMinor ?? 0);
  const own = creditMinor > 0 && credit !== undefined ? credit : payment;
  const latest = payment.allocations.at(-1);
  const isOwn = latest === undefined || latest.externalId === own.externalId;
  if (otherCredits.length > 0 || (!isOwn && waitingMinor + creditMinor > 0))
    return { owner: own, waitingMinor, creditMinor, allocations: [] };
  const ofLatest = payment.allocations.filter((one) => one.subscriptionId === latest?.subscriptionId);
  const allocations = takenFrom(ofLatest, amountMinor - waitingMinor - creditMinor);
  const owner = allocations[0] ?? own;
  const isLast = ofLatest.length === payment.allocations.length && owner.externalId === payment.externalId;
  // The seller has sent the rest back, and the bank takes it too: the client owes it, or it is missing.
  const owedMinor = isLast ? amountMinor - waitingMinor - creditMinor - sumMinor(allocations) : 0;
  return owner.externalId === undefined
    ? { owner, waitingMinor: waitingMinor + owedMinor, creditMinor, allocations }
    : { owner, waitingMinor, creditMinor: creditMinor + owedMinor, allocations };
}

function takenFrom(allocations: readonly Allocation[], amountMinor: number): Allocation[] {
  let restMinor = amountMinor;
  return allocations.toReversed().flatMap((one) => {
    const takenMinor = Math.min(restMinor, one.amountMinor);
    restMinor -= takenMinor;
    return takenMinor > 0 ? [{ ...one, amountMinor: takenMinor }] : [];
  });
}

interface Taken {
  readonly booked: readonly Entry[];
  readonly reversed: readonly OpenInvoice[];
  readonly refunded: readonly RefundedInvoice[];
}

function entriesOf(
  { paymentId, currency }: PaymentFields,
  { kind, to: account, valueAtMs }: Taking,
  { waitingMinor, creditMinor, allocations }: Share,
  current: SubscriptionWithClient | undefined,
): Taken {
  const takenMinor = sumMinor(allocations) + waitingMinor + creditMinor;
  const booked: Entry[] = [
    entry(kind, { currency, paymentId, valueAtMs }, [
      { account, amountMinor: -takenMinor },
      { account: 'unallocated', amountMinor: waitingMinor },
      { account: 'credit', amountMinor: creditMinor },
      ...allocations.map(({ n, amountMinor }) => ({ ...receivable(n), amountMinor })),
    ]),
  ];
  const reversed: OpenInvoice[] = [];
  const refunded: RefundedInvoice[] = [];
  for (const { n, amountMinor } of allocations) {
    const invoice = current?.invoices.find((one) => one.n === n);
    if (current === undefined || invoice === undefined)
      throw new Error('The invoice of a payment was not read');
    const { status } = invoice;
    if (status === 'open') continue;
    if (kind === 'refund' && (status === 'paid' || status === 'refunded'))
      refunded.push({ invoice, amountMinor });
    else if (status === 'paid') {
      const open = reopenPaid(invoice, booked, current);
      if (open !== undefined) reversed.push(open);
    } else if (status === 'void') {
      // Credit notes made it credit of the client.
      const settled = settledAfter(invoice.settled, n, booked);
      booked.push(...takenFromCredit({ n, currency, settled }, amountMinor));
    } else {
      const keepsTax = current.subscription.seller.tax?.badDebts === 'keep';
      booked.push(...givenUp(invoice, amountMinor, keepsTax));
    }
  }
  return { booked, reversed, refunded };
}

/**
 * A paid invoice as it is open again. What was written off of it is owed again. Credit that a change of plan gave for it
 * goes back, as far as the client still has it: nobody has both the credit and the money.
 *
 * @param booked the entries so far; those of the invoice are added.
 * @returns undefined when nothing is due of it then.
 */
function reopenPaid(
  invoice: Invoice,
  booked: Entry[],
  { client }: SubscriptionWithClient,
): OpenInvoice | undefined {
  const { n, invoiceId, totalMinor, currency, gateway, periodStartMs = 0 } = invoice;
  const now = () => settledAfter(invoice.settled, n, booked);
  booked.push(...reopened({ n, currency, settled: now() }));
  const settled = now();
  const creditMinor = creditAfter(client.credit ?? {}, booked)[currency] ?? 0;
  const backMinor = Math.min(settled?.releasedMinor ?? 0, creditMinor, dueMinor({ totalMinor, settled }));
  if (backMinor > 0) booked.push(release(invoice, -backMinor));
  const open = { totalMinor, ...defined({ settled: now() }) };
  if (dueMinor(open) <= 0) return undefined;
  return {
    n,
    invoiceId,
    ...open,
    currency,
    // The term of an early payment has not begun: it is not owed before.
    owedFromMs: Math.max(deps.clock.nowMs(), periodStartMs),
    ...defined({ atStripe: gateway !== 'none' || undefined }),
  };
}

function eventOf(
  { paymentId, amountMinor, currency }: PaymentFields,
  { kind, reason, isStated }: Taking,
  { booked, reversed, refunded }: Taken,
  current: SubscriptionWithClient,
): Event<'payment_refunded' | 'payment_reversed' | 'part_reversed'> {
  const received = { payment: { paymentId, amountMinor, currency }, booked };
  if (kind === 'refund') {
    const refundCancels = cancels(current, booked, refunded);
    return { event: 'payment_refunded', ...received, refunded, refundCancels };
  }
  const [first, ...others] = reversed;
  return first === undefined
    ? { event: 'part_reversed', ...received, reason, isStated }
    : { event: 'payment_reversed', ...received, reason, isStated, reversed: [first, ...others] };
}

/** Whether the refund ends the subscription: the seller wants it, and the present term was refunded in full. */
function cancels(
  { subscription }: SubscriptionWithClient,
  booked: readonly Entry[],
  refunded: readonly RefundedInvoice[],
): boolean {
  if (subscription.policy.payments.onRefund !== 'cancel') return false;
  return refunded.some(
    ({ invoice: { n, settled, periodEndMs = 0 } }) =>
      keptMinor(settledAfter(settled, n, booked)) <= 0 && periodEndMs > deps.clock.nowMs(),
  );
}
