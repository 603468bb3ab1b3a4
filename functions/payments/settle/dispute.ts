import { isCredited } from '../../invoices/due.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { defined } from '../../shared/contract/defined.ts';
import { retryOnConflict } from '../../shared/table/optimistic-retry.ts';
import type { SubscriptionWithClient, Write } from '../../subscriptions/commands/subscription-store.ts';
import type { Event } from '../../subscriptions/machine/event.ts';
import type { OpenInvoice } from '../../subscriptions/record/subscription.ts';
import type { Allocation, Payment } from '../record/payment.ts';
import { gatewayOf, paymentIdOf } from '../record/payment-id.ts';
import type { EarlyReversal } from '../record/reversals.ts';
import { afterReversal, isOutstanding, type ReversalCause } from '../record/reversals.ts';
import type { KnownPayment } from '../record/store.ts';
import { changedPayment } from './change.ts';
import { getCurrent, settlementDeps, writeEvent } from './event.ts';
import { ownerOf } from './unapplied.ts';
import { paymentWrites, writePayment } from './writes.ts';

/** The reversal of a payment by a dispute, or the end of a dispute that was won. */
export interface ReversalEvent extends ReversalCause {
  applicationId: string;
  /** The gateway's id of the payment. */
  paymentId: string;
  /** The gateway's id of the event. An event can be delivered more than once. */
  eventId: string;
}

/** A payment of a gateway as it was read. */
export interface StoredPayment extends KnownPayment {
  /** `pay_...` */
  readonly paymentId: string;
}

const deps = settlementDeps;

/** The payment that a gateway's event is about. */
export async function readPayment({
  applicationId,
  paymentId: sourceId,
  eventId,
}: Pick<ReversalEvent, 'applicationId' | 'paymentId' | 'eventId'>): Promise<StoredPayment> {
  const paymentId = paymentIdOf(applicationId, gatewayOf(sourceId), sourceId);
  const known = await deps.payments.getAtGateway(applicationId, { paymentId, sourceId, eventId });
  return { paymentId, ...known };
}

/** The write of a gateway's event, which goes with the change of its payment. */
export function eventWriteOf(
  { paymentId }: StoredPayment,
  { applicationId, eventId }: Pick<ReversalEvent, 'applicationId' | 'eventId'>,
): Write {
  return deps.payments.eventWrite(applicationId, { eventId, paymentId, nowMs: deps.clock.nowMs() });
}

/**
 * Records that a gateway took a payment back, because of a dispute: its invoices are open again. Further events of the same
 * dispute, and further causes, change nothing else.
 *
 * @returns 'waiting' when the payment was not reported yet; the reversal is recorded with the payment.
 * @throws ApiError `conflict` after too many concurrent writes: the gateway has to deliver the event again.
 */
export async function recordReversal(event: ReversalEvent): Promise<'applied' | 'repeated' | 'waiting'> {
  return retryOnConflict(async () => {
    const read = await readPayment(event);
    const { payment, early, isRepeated } = read;
    if (isRepeated) return 'repeated';
    const reversals = afterReversal((payment ?? early)?.reversals, event);
    if (reversals === undefined) return 'repeated';
    if (payment === undefined)
      return (await writeEarlyReversal(event, read, { reversals })) ? 'waiting' : undefined;
    if (payment.returnedMinor >= payment.amountMinor) {
      const change = changedPayment(payment, { ...payment, reversals }, [], deps.clock.nowMs());
      return (await writePayment(change, [eventWriteOf(read, event)])) ? 'repeated' : undefined;
    }
    return reversePayment({ ...payment, reversals }, payment, [eventWriteOf(read, event)]);
  });
}

/** Records what is known of a payment that was not reported yet. */
export async function writeEarlyReversal(
  { applicationId, paymentId: sourceId, eventId }: ReversalEvent,
  { paymentId, early }: StoredPayment,
  known: Pick<EarlyReversal, 'reversals' | 'refundedMinor'>,
): Promise<boolean> {
  const recordedAtMs = deps.clock.nowMs();
  const { reversals, refundedMinor } = early ?? {};
  const next = { applicationId, sourceId, recordedAtMs, ...defined({ reversals, refundedMinor }), ...known };
  const writes = [
    ...deps.payments.earlyReversalWrites(next, paymentId, early),
    deps.payments.eventWrite(applicationId, { eventId, paymentId, nowMs: recordedAtMs }),
  ];
  return deps.subscriptions.write([], [], undefined, () => ({ writes, events: [] }));
}

/**
 * Records the dispute that was reported before its payment, once the payment is recorded. Safe to repeat.
 *
 * @throws as {@link recordReversal}
 */
export async function recordEarlierReversal({ applicationId, paymentId }: Payment): Promise<void> {
  await retryOnConflict(async () => {
    const payment = await deps.payments.get(applicationId, paymentId);
    if (payment?.reversalOf === undefined || payment.returnedMinor >= payment.amountMinor) return 'repeated';
    const { reversalOf: _, ...settled } = payment;
    if (isOutstanding(payment.reversals ?? {})) return reversePayment(settled, payment, []);
    const change = changedPayment(payment, settled, [], deps.clock.nowMs());
    return (await writePayment(change)) ? 'repeated' : undefined;
  });
}

/** @returns undefined after a concurrent write. */
async function reversePayment(
  payment: Payment,
  previous: Payment,
  writes: readonly Write[],
): Promise<'applied' | 'repeated' | undefined> {
  const { allocations, creditedMinor, returnedMinor, amountMinor, unappliedReason: _, ...fields } = payment;
  const change = changedPayment(
    previous,
    {
      ...fields,
      amountMinor,
      allocations: [],
      creditedMinor: 0,
      returnedMinor: amountMinor,
      status: 'disputed',
      taken: { allocations, creditedMinor, returnedMinor },
    },
    ['disputed'],
    deps.clock.nowMs(),
  );
  const current = await currentOf(payment);
  if (current === undefined) return (await writePayment(change, writes)) ? 'applied' : undefined;
  const { paymentId, currency } = payment;
  const undone = undoneAllocations(current, allocations, deps.clock.nowMs());
  const creditMinor = -creditedMinor - undone.creditMinor;
  const received = { payment: { paymentId, amountMinor, currency }, parts: undone.parts, creditMinor };
  const [first, ...others] = undone.reversed;
  const event: Event<'part_reversed' | 'payment_reversed'> =
    first === undefined
      ? { event: 'part_reversed', ...received }
      : { event: 'payment_reversed', ...received, reversed: [first, ...others] };
  const outcome = await writeEvent(current, event, { by: 'gateway' }, () => paymentWrites(change, writes));
  if (outcome.kind === 'conflict') return undefined;
  return outcome.kind === 'changed' ? 'applied' : 'repeated';
}

/** The subscription of a payment with its due steps taken, and the invoices that the payment paid. */
export async function currentOf(payment: Payment): Promise<SubscriptionWithClient | undefined> {
  const owner = ownerOf(payment);
  const current = owner && (await getCurrent(owner, []));
  if (current === undefined) return undefined;
  const ns = [...payment.allocations, ...(payment.taken?.allocations ?? [])].map(({ n }) => n);
  // Read after the subscription: a change of both in between fails the condition of the write.
  const invoices = await Promise.all(
    [...new Set(ns)].map((n) => deps.invoices.get(current.subscription.subscriptionId, n)),
  );
  return { ...current, invoices: invoices.filter((invoice) => invoice !== undefined) };
}

/** The effect on each invoice when its part of the payment is gone. */
function undoneAllocations(
  { subscription, invoices }: SubscriptionWithClient,
  allocations: readonly Allocation[],
  nowMs: number,
) {
  const reversed: OpenInvoice[] = [];
  const parts: { n: number; amountMinor: number }[] = [];
  let creditMinor = 0;
  for (const { n, amountMinor } of allocations) {
    const invoice = invoices.find((one) => one.n === n);
    if (invoice === undefined) continue;
    if (subscription.openInvoices.some((open) => open.n === n)) parts.push({ n, amountMinor: -amountMinor });
    else if (invoice.status === 'paid') reversed.push(reopened(invoice, amountMinor, nowMs));
    // The money of a closed invoice became credit.
    else if (isCredited(invoice)) creditMinor += amountMinor;
  }
  return { reversed, parts, creditMinor };
}

function reopened(
  {
    n,
    invoiceId,
    totalMinor,
    receivedMinor = totalMinor,
    refundedMinor,
    currency,
    gateway,
    periodStartMs = 0,
    creditUsedMinor = 0,
  }: Invoice,
  amountMinor: number,
  nowMs: number,
): OpenInvoice {
  return {
    n,
    invoiceId,
    totalMinor,
    currency,
    // The term of an early payment has not begun: it is not owed before.
    owedFromMs: Math.max(nowMs, periodStartMs),
    ...defined({
      // Below 0, the payment paid a debt of the client too, which is owed again.
      receivedMinor: Math.max(Math.min(0, creditUsedMinor), receivedMinor - amountMinor) || undefined,
      creditUsedMinor: creditUsedMinor < 0 ? creditUsedMinor : undefined,
      refundedMinor,
      atStripe: gateway !== 'none' || undefined,
    }),
  };
}
