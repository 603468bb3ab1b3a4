import type { CreditNote } from '../../invoices/credit-note.ts';
import { creditNotesOf } from '../../invoices/credit-note-store.ts';
import { isCredited } from '../../invoices/due.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { defined } from '../../shared/contract/defined.ts';
import { retryOnConflict } from '../../shared/table/optimistic-retry.ts';
import type { SubscriptionWithClient, Write } from '../../subscriptions/commands/subscription-store.ts';
import type { RefundedInvoice } from '../../subscriptions/machine/event.ts';
import { type Allocation, type Payment, unappliedMinor } from '../record/payment.ts';
import { changedPayment } from './change.ts';
import { currentOf, eventWriteOf, readPayment, writeEarlyReversal } from './dispute.ts';
import { settlementDeps, writeEvent } from './event.ts';
import { paymentWrites, writePayment } from './writes.ts';

/** A refund that the seller made at the gateway. */
export interface RefundEvent {
  applicationId: string;
  /** The gateway's id of the payment. */
  paymentId: string;
  /** The gateway's id of the event. An event can be delivered more than once. */
  eventId: string;
  /** The total refunded of the payment, in minor units; undefined for the whole payment. */
  refundedMinor: number | undefined;
  atMs: number;
}

const deps = settlementDeps;
/** A refund is a reversal that no dispute ends. */
const cause = 'refund';

/**
 * Records what was refunded of a payment. A refund takes what waits first, then what is credit, then what paid invoices, the
 * latest first. An invoice of which nothing is left is `refunded`. A credit note credits what none has credited before; the
 * rest was credited by a change of plan, and is taken from the client's credit.
 *
 * @returns 'waiting' when the payment was not reported yet; the refund is recorded with the payment.
 * @throws ApiError `conflict` after too many concurrent writes: the gateway has to deliver the event again.
 */
export async function recordRefund(event: RefundEvent): Promise<'applied' | 'repeated' | 'waiting'> {
  return retryOnConflict(async () => {
    const read = await readPayment(event);
    const { payment, early, isRepeated } = read;
    if (isRepeated) return 'repeated';
    if (payment === undefined) {
      const refundedMinor = event.refundedMinor ?? Number.MAX_SAFE_INTEGER;
      if ((early?.refundedMinor ?? 0) >= refundedMinor) return 'repeated';
      const known = { refundedMinor };
      return (await writeEarlyReversal({ ...event, cause }, read, known)) ? 'waiting' : undefined;
    }
    return refund(payment, event, [eventWriteOf(read, event)]);
  });
}

/** Records the refund that was reported before its payment, or during a dispute that is over. Safe to repeat. */
export async function recordEarlierRefund({ applicationId, paymentId, sourceId }: Payment): Promise<void> {
  await retryOnConflict(async () => {
    const payment = await deps.payments.get(applicationId, paymentId);
    if (payment?.earlierRefundMinor === undefined) return 'repeated';
    const event = {
      applicationId,
      paymentId: sourceId,
      eventId: '',
      refundedMinor: payment.earlierRefundMinor,
      atMs: deps.clock.nowMs(),
    };
    return refund(payment, event, []);
  });
}

/** @returns undefined after a concurrent write. */
async function refund(
  previous: Payment,
  { refundedMinor: inAll, atMs }: RefundEvent,
  writes: readonly Write[],
): Promise<'applied' | 'repeated' | undefined> {
  const { amountMinor, currency, paymentId } = previous;
  const refundedMinor = Math.min(inAll ?? amountMinor, amountMinor);
  const moreMinor = refundedMinor - (previous.refundedMinor ?? 0);
  const isWhole = refundedMinor === amountMinor;
  const { earlierRefundMinor: _, ...payment } = previous;
  const reversals = isWhole ? { ...payment.reversals, [cause]: { atMs } } : payment.reversals;
  const known = { ...payment, refundedMinor, ...defined({ reversals }) };
  const nowMs = deps.clock.nowMs();
  if (previous.status === 'disputed' && !isWhole) {
    // The dispute has the money. When it is won, what it returns is refunded in part at once.
    if (moreMinor <= 0 || (previous.earlierRefundMinor ?? 0) >= refundedMinor) return 'repeated';
    const fields = { ...previous, earlierRefundMinor: refundedMinor };
    return (await writePayment(changedPayment(previous, fields, [], nowMs), writes)) ? 'repeated' : undefined;
  }
  // A dispute has taken the money already.
  const takenMinor = Math.min(moreMinor, amountMinor - payment.returnedMinor);
  if (takenMinor <= 0) {
    if (moreMinor <= 0 && previous.earlierRefundMinor === undefined) return 'repeated';
    return (await writePayment(changedPayment(previous, known, [], nowMs), writes)) ? 'repeated' : undefined;
  }
  const waitingTakenMinor = Math.min(takenMinor, unappliedMinor(payment));
  const creditTakenMinor = Math.min(takenMinor - waitingTakenMinor, payment.creditedMinor);
  const { left, taken } = takenFrom(payment.allocations, takenMinor - waitingTakenMinor - creditTakenMinor);
  const returnedMinor = payment.returnedMinor + takenMinor;
  const fields = {
    ...known,
    allocations: left,
    creditedMinor: payment.creditedMinor - creditTakenMinor,
    returnedMinor,
  };
  const isUnused = payment.allocations.length === 0 && payment.creditedMinor === 0;
  const whole = isUnused ? ('returned' as const) : ('refunded' as const);
  const { unappliedReason: __, ...settled } = fields;
  const change = changedPayment(
    previous,
    returnedMinor === amountMinor ? { ...settled, status: whole } : fields,
    [returnedMinor === amountMinor && isUnused ? 'returned' : 'refunded'],
    nowMs,
  );
  const current = await currentOf(previous);
  if (current === undefined) return (await writePayment(change, writes)) ? 'applied' : undefined;
  // Read after the subscription: a further credit note fails the condition of the write.
  const effect = refundOf(current, taken, await creditNotesOf(current.subscription));
  const creditMinor = -creditTakenMinor - effect.creditMinor;
  const outcome = await writeEvent(
    current,
    {
      event: 'payment_refunded',
      payment: { paymentId, amountMinor, currency },
      parts: effect.parts,
      refunded: effect.refunded,
      refundCancels: refundCancels(current, effect.refunded, nowMs),
      creditMinor,
    },
    { by: 'gateway' },
    () => paymentWrites(change, writes),
  );
  return outcome.kind === 'changed' ? 'applied' : undefined;
}

/** Takes an amount from allocations, from the latest on. */
function takenFrom(allocations: readonly Allocation[], amountMinor: number) {
  let restMinor = amountMinor;
  const left: Allocation[] = [];
  const taken: Allocation[] = [];
  for (const part of allocations.toReversed()) {
    const partMinor = Math.min(restMinor, part.amountMinor);
    restMinor -= partMinor;
    if (partMinor > 0) taken.push({ ...part, amountMinor: partMinor });
    if (partMinor < part.amountMinor) left.unshift({ ...part, amountMinor: part.amountMinor - partMinor });
  }
  return { left, taken };
}

function refundOf(
  { subscription, invoices }: SubscriptionWithClient,
  taken: readonly Allocation[],
  notes: readonly CreditNote[],
) {
  const refunded: RefundedInvoice[] = [];
  const parts: { n: number; amountMinor: number }[] = [];
  let creditMinor = 0;
  for (const { n, amountMinor } of taken) {
    const invoice = invoices.find((one) => one.n === n);
    if (invoice === undefined) continue;
    if (subscription.openInvoices.some((open) => open.n === n)) parts.push({ n, amountMinor: -amountMinor });
    else if (invoice.status === 'paid' || invoice.status === 'refunded') {
      const { receivedMinor = invoice.totalMinor } = invoice;
      // The rest paid a debt of the client, which is owed again.
      const ownMinor = Math.min(amountMinor, receivedMinor);
      const credited = notes.filter(({ invoiceN }) => invoiceN === n);
      if (ownMinor > 0) refunded.push(refundedInvoice(invoice, ownMinor, sumOf(credited)));
      creditMinor += amountMinor - ownMinor;
    } else if (isCredited(invoice)) creditMinor += amountMinor;
  }
  return { refunded, parts, creditMinor };
}

const sumOf = (notes: readonly CreditNote[]) => notes.reduce((sum, { totalMinor }) => sum + totalMinor, 0);

/** @param creditedMinor what credit notes have credited of the invoice. */
function refundedInvoice(
  { totalMinor, receivedMinor = totalMinor, creditUsedMinor = 0, refundedMinor = 0, ...invoice }: Invoice,
  amountMinor: number,
  creditedMinor: number,
): RefundedInvoice {
  const openMinor = Math.max(0, totalMinor - creditedMinor);
  const keptMinor = receivedMinor - amountMinor;
  // The last refund credits the invoice to its end, also a shortfall within the tolerance.
  const noteMinor = keptMinor === 0 ? openMinor : Math.min(amountMinor, openMinor);
  const creditMinor = Math.max(0, amountMinor - noteMinor);
  const leftMinor = openMinor - noteMinor;
  return {
    invoice,
    amountMinor,
    noteMinor,
    leftMinor,
    creditMinor,
    isWhole: leftMinor === 0 && keptMinor <= Math.max(0, creditUsedMinor),
    fields: {
      receivedMinor: keptMinor + creditMinor,
      refundedMinor: refundedMinor + noteMinor,
      creditUsedMinor: creditUsedMinor + creditMinor,
    },
  };
}

/** Whether the refund ends the subscription: the seller wants it, and the present term was refunded in full. */
function refundCancels(
  { subscription, invoices }: SubscriptionWithClient,
  refunded: readonly RefundedInvoice[],
  nowMs: number,
): boolean {
  if (subscription.policy.payments.onRefund !== 'cancel') return false;
  const whole = refunded.filter(({ isWhole }) => isWhole).map(({ invoice }) => invoice.n);
  return invoices.some(({ n, periodEndMs = 0 }) => whole.includes(n) && periodEndMs > nowMs);
}
