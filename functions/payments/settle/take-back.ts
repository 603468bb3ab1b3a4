/** Takes money of a payment that is claimed, or that the seller moves: from what waits, from credit, from its latest invoices. */

import { dueMinor } from '../../invoices/due.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { latestClaimMs } from '../../ledger/claims.ts';
import { creditAfter, type Entry, entry, receivable, release, transfer } from '../../ledger/entry.ts';
import {
  type Allocation,
  creditsOf,
  type Payment,
  type PaymentChange,
  unappliedMinor,
} from '../../ledger/payment.ts';
import { changedPayment, heldAfter, type InvoiceOfN, settledStatus } from '../../ledger/payment-change.ts';
import { reopened, settledAfter } from '../../ledger/settled.ts';
import { defined } from '../../shared/contract/defined.ts';
import type { SubscriptionWithClient, Write } from '../../subscriptions/commands/subscription-store.ts';
import type { Event, RefundedInvoice } from '../../subscriptions/machine/event.ts';
import type { OpenInvoice } from '../../subscriptions/record/subscription.ts';
import type { Actor } from '../../subscriptions/record/timeline-entry.ts';
import { getCurrent, settlementDeps, writeEvent } from './event.ts';
import { accountOf } from './movement.ts';
import { invoicesOfChange, paymentWrites, writePayment } from './writes.ts';

const deps = settlementDeps;

/** Why money is taken, and who reports it. */
interface Taking {
  /** `allocation`: the seller moves it, and it waits. */
  readonly kind: 'dispute' | 'refund' | 'allocation';
  readonly by: Actor;
  /** In the words of the seller, for the timeline. */
  readonly reason?: string;
}

/** A claim that is not met yet. */
export interface Claimed extends Taking {
  readonly kind: 'dispute' | 'refund';
  readonly amountMinor: number;
}

/**
 * Takes money back, in one transaction with all that it changes. What is of another client is taken by a transaction of
 * its own: the caller calls again while something is claimed.
 *
 * @param payment with the claims that it has now.
 * @param previous as read.
 * @returns the payment after it; undefined after a concurrent write.
 */
export async function takeBack(
  payment: Payment,
  previous: Payment,
  claimed: Claimed,
  writes: readonly Write[],
): Promise<Payment | undefined> {
  return takeShare(payment, previous, claimed, shareOf(payment, claimed.amountMinor), writes);
}

/** As {@link takeBack}, of a share that the caller chooses. */
export async function takeShare(
  payment: Payment,
  previous: Payment,
  claimed: Taking,
  share: Share,
  writes: readonly Write[] = [],
): Promise<Payment | undefined> {
  const current = share.owner && (await currentOf(share.owner, share.allocations));
  const isMoved = claimed.kind === 'allocation';
  // The client may have used the credit since it was read. A claim makes a debt of it.
  if (isMoved && share.creditMinor > (current?.client.credit?.[payment.currency] ?? 0)) return undefined;
  const taken = entriesOf(payment, claimed, share, current);
  const isStill = (one: Allocation) =>
    payment.allocations.some(
      (former) => former.invoiceId === one.invoiceId && former.amountMinor === one.amountMinor,
    );
  const changeOf = (entries: readonly Entry[], invoiceOf: InvoiceOfN): PaymentChange => {
    const { unappliedReason, ...fields } = payment;
    const held = { ...fields, ...heldAfter(payment, entries, invoiceOf, share.owner) };
    const paysInvoice =
      payment.status !== 'partial' && (claimed.kind === 'refund' || held.allocations.some(isStill));
    const status = settledStatus(held, paysInvoice);
    const reason = isMoved ? 'reallocated' : unappliedReason;
    return changedPayment(
      previous,
      { ...held, status, ...defined({ unappliedReason: status === 'unapplied' ? reason : undefined }) },
      [announcedOf[claimed.kind]],
      deps.clock.nowMs(),
    );
  };
  if (current === undefined) {
    const change = changeOf(taken.booked, unknownInvoice);
    return (await writePayment(change, writes, taken.booked)) ? change.next : undefined;
  }
  let next: Payment | undefined;
  const outcome = await writeEvent(
    current,
    eventOf(payment, claimed, taken, current),
    { by: claimed.by },
    (change) => {
      const paymentChange = changeOf(change.books, invoicesOfChange(change, current.invoices));
      next = paymentChange.next;
      return paymentWrites(paymentChange, writes);
    },
  );
  return outcome.kind === 'changed' ? next : undefined;
}

const unknownInvoice: InvoiceOfN = () => {
  throw new Error('A payment without a subscription pays no invoice');
};

const announcedOf = { refund: 'refunded', dispute: 'disputed', allocation: 'unapplied' } as const;

type Owner = Pick<Allocation, 'externalId' | 'subscriptionId'> & Pick<Payment, 'applicationId'>;

/** A share of a payment that one transaction takes. */
export interface Share {
  /** The subscription of the invoices, or one of the client who has the credit. */
  readonly owner: Owner | undefined;
  readonly waitingMinor: number;
  readonly creditMinor: number;
  /** The parts of invoices, latest first. */
  readonly allocations: readonly Allocation[];
}

function shareOf(payment: Payment, amountMinor: number): Share {
  const { applicationId } = payment;
  const waitingMinor = Math.min(amountMinor, unappliedMinor(payment));
  const [credit, ...otherCredits] = creditsOf(payment).toReversed();
  const creditMinor = Math.min(amountMinor - waitingMinor, credit?.amountMinor ?? 0);
  const { externalId, subscriptionId } = creditMinor > 0 && credit !== undefined ? credit : payment;
  const own =
    externalId === undefined || subscriptionId === undefined
      ? undefined
      : { applicationId, externalId, subscriptionId };
  const latest = payment.allocations.at(-1);
  const isOwn = latest === undefined || latest.externalId === externalId;
  if (latest === undefined || otherCredits.length > 0 || (!isOwn && waitingMinor + creditMinor > 0))
    return { owner: own, waitingMinor, creditMinor, allocations: [] };
  const ofLatest = payment.allocations.filter((one) => one.subscriptionId === latest.subscriptionId);
  const allocations = takenFrom(ofLatest, amountMinor - waitingMinor - creditMinor);
  const owner = allocations.length === 0 ? own : { ...latest, applicationId };
  return { owner, waitingMinor, creditMinor, allocations };
}

/** Takes an amount from allocations, from the latest on. */
function takenFrom(allocations: readonly Allocation[], amountMinor: number): Allocation[] {
  let restMinor = amountMinor;
  return allocations.toReversed().flatMap((one) => {
    const takenMinor = Math.min(restMinor, one.amountMinor);
    restMinor -= takenMinor;
    return takenMinor > 0 ? [{ ...one, amountMinor: takenMinor }] : [];
  });
}

/** A subscription with its due steps taken, and the invoices of these allocations. */
async function currentOf(
  owner: Owner,
  allocations: readonly Allocation[],
): Promise<SubscriptionWithClient | undefined> {
  const current = await getCurrent(owner, []);
  if (current === undefined) return undefined;
  // Read after the subscription: a change of both in between fails the condition of the write.
  const read = await Promise.all(allocations.map(({ n }) => deps.invoices.get(owner.subscriptionId, n)));
  return { ...current, invoices: read.filter((invoice) => invoice !== undefined) };
}

/** The entries that take a share back, and what they do to its invoices. */
interface Taken {
  readonly booked: readonly Entry[];
  /** Paid invoices that are open again without it. */
  readonly reversed: readonly OpenInvoice[];
  readonly refunded: readonly RefundedInvoice[];
}

function entriesOf(
  { paymentId, currency, source, claims }: Payment,
  { kind }: Taking,
  { waitingMinor, creditMinor, allocations }: Share,
  current: SubscriptionWithClient | undefined,
): Taken {
  const takenMinor = allocations.reduce(
    (sum, { amountMinor }) => sum + amountMinor,
    waitingMinor + creditMinor,
  );
  const account = kind === 'allocation' ? 'unallocated' : accountOf(source);
  const entryKind = kind === 'dispute' && account === 'bank' ? 'reversal' : kind;
  const valueAtMs = kind === 'allocation' ? undefined : latestClaimMs(claims, kind);
  const booked: Entry[] = [
    entry(entryKind, { currency, paymentId, valueAtMs }, [
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
    } else booked.push(closedAgain(invoice, amountMinor));
  }
  return { booked, reversed, refunded };
}

/** Nobody owes the rest of a closed invoice. */
function closedAgain({ n, status, currency }: Invoice, amountMinor: number): Entry {
  return status === 'void'
    ? transfer('cancellation', { currency }, { from: receivable(n), to: { account: 'sales' }, amountMinor })
    : transfer('write_off', { currency }, { from: receivable(n), to: { account: 'write_off' }, amountMinor });
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
  { paymentId, amountMinor, currency }: Payment,
  { kind, reason }: Taking,
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
    ? { event: 'part_reversed', ...received, reason }
    : { event: 'payment_reversed', ...received, reason, reversed: [first, ...others] };
}

/** Whether the refund ends the subscription: the seller wants it, and the present term was refunded in full. */
function cancels(
  { subscription }: SubscriptionWithClient,
  booked: readonly Entry[],
  refunded: readonly RefundedInvoice[],
): boolean {
  if (subscription.policy.payments.onRefund !== 'cancel') return false;
  return refunded.some(({ invoice: { n, settled, periodEndMs = 0 } }) => {
    const { paidMinor = 0, fromCreditMinor = 0 } = settledAfter(settled, n, booked) ?? {};
    return paidMinor + fromCreditMinor <= 0 && periodEndMs > deps.clock.nowMs();
  });
}
