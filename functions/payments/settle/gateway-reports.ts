import { gapOf, type Payment } from '../../ledger/payment.ts';
import { changedPayment } from '../../ledger/payment-change.ts';
import { gatewayOf, paymentIdOf } from '../../ledger/payment-id.ts';
import { dayMs } from '../../shared/runtime/clock.ts';
import { retryOnConflict } from '../../shared/table/optimistic-retry.ts';
import type { Event } from '../../subscriptions/machine/event.ts';
import { closeGaps } from './claims.ts';
import { settlementDeps, writeEvent } from './event.ts';
import type { IncomingPayment } from './incoming-payment.ts';
import { newPayment, receiveReport } from './receive.ts';
import { findTarget } from './target.ts';
import { paymentWrites, writePayment } from './writes.ts';

export interface PaymentEvent {
  applicationId: string;
  invoiceId: string;
  /** The gateway's id of the payment. A payment is applied once. */
  paymentId: string;
  /** The gateway's id of the event. An event can be delivered more than once. */
  eventId: string;
  amountMinor: number;
  currency: string;
  /** When the payment was made, by the gateway's clock, epoch milliseconds. Default: now. */
  atMs?: number;
  method?: IncomingPayment['method'];
}

const deps = settlementDeps;

/** How long the ends of a subscription wait for a payment that is processing. SEPA Direct Debits take up to 14 days. */
const processingDays = 14;

/**
 * Records a payment, and applies it: see `receivePayment`.
 *
 * @returns 'unknown' when the application has no such invoice, and 'refused' when the payment is one of the sandbox and
 * the sandbox is no longer the gateway of the application; nothing is recorded then. 'credited' when it pays no invoice
 * and is credit of the client.
 * @throws ApiError `conflict` after too many concurrent writes: the gateway has to deliver the event again.
 */
export async function recordPayment(
  event: PaymentEvent,
): Promise<'applied' | 'credited' | 'repeated' | 'unapplied' | 'unknown' | 'refused'> {
  const { applicationId, eventId } = event;
  const received = await receiveReport(incomingOf(event), eventId);
  if (received.kind === 'refused') return received.reason === 'not_found' ? 'unknown' : 'refused';
  // Claims can come before their payment. A repeat closes the gap too: the first delivery may have ended half way.
  if (gapOf(received.payment) !== undefined) await closeGaps(applicationId, received.payment.paymentId);
  if (received.kind === 'unchanged') return 'repeated';
  const { status } = received.payment;
  if (status === 'credit') return 'credited';
  return status === 'unapplied' ? 'unapplied' : 'applied';
}

/**
 * Records that a payment is under way, as direct debits are for days. The ends of the subscription wait for it, 14 days at most.
 *
 * @returns as `recordPayment`.
 * @throws as `recordPayment`.
 */
export function recordProcessing(event: PaymentEvent): ReturnType<typeof recordUnderWay> {
  return recordUnderWay(event, 'processing');
}

export function recordFailure(event: PaymentEvent): ReturnType<typeof recordUnderWay> {
  return recordUnderWay(event, 'failed');
}

function incomingOf(event: PaymentEvent): IncomingPayment {
  const { applicationId, paymentId: sourceId, invoiceId, amountMinor, currency } = event;
  return {
    applicationId,
    source: gatewayOf(sourceId),
    sourceId,
    method: event.method ?? 'card',
    amountMinor,
    currency: currency.toUpperCase(),
    valueAtMs: event.atMs ?? deps.clock.nowMs(),
    target: { invoiceId },
    by: 'gateway',
  };
}

async function recordUnderWay(
  event: PaymentEvent,
  name: 'processing' | 'failed',
): Promise<'processing' | 'repeated' | 'unknown'> {
  const incoming = incomingOf(event);
  const { applicationId, source, sourceId, amountMinor, currency } = incoming;
  const paymentId = paymentIdOf(applicationId, source, sourceId);
  return retryOnConflict(async () => {
    const { eventId } = event;
    const known = await deps.payments.getAtGateway(applicationId, { paymentId, sourceId, eventId });
    const { payment, isRepeated } = known;
    const isExpected = payment === undefined || (payment.status === 'processing' && name === 'failed');
    if (isRepeated || !isExpected) return 'repeated';
    const { target } = await findTarget(incoming);
    if (target === undefined) return 'unknown';
    const nowMs = deps.clock.nowMs();
    const base = newPayment(incoming, target, { payment });
    const subject = { paymentId, amountMinor, currency };
    const processingUntilMs = nowMs + processingDays * dayMs;
    // The money of a failed payment never arrived: nothing waits.
    const [fields, reported]: UnderWay =
      name === 'failed'
        ? [
            { status: 'returned', returnedMinor: amountMinor, neverArrived: true },
            { event: 'payment_failed', payment: subject },
          ]
        : [{ status: 'processing' }, { event: 'payment_processing', payment: subject, processingUntilMs }];
    const change = changedPayment(payment, { ...base, ...fields }, [name], nowMs);
    const writes = [deps.payments.eventWrite(applicationId, { eventId, paymentId, nowMs })];
    const more = () => paymentWrites(change, writes);
    const outcome = await writeEvent(target.current, reported, { by: 'gateway' }, more);
    if (outcome.kind === 'changed') return 'processing';
    // An ended subscription waits for nothing.
    if (outcome.kind === 'refused' && (await writePayment(change, writes))) return 'processing';
    return undefined;
  });
}

type UnderWay = readonly [
  Partial<Pick<Payment, 'status' | 'returnedMinor' | 'neverArrived'>>,
  Event<'payment_failed' | 'payment_processing'>,
];
