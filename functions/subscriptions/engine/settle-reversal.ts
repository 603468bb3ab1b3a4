import { defined } from '../../shared/contract/defined.ts';
import { retryOnConflict } from '../../shared/table/optimistic-retry.ts';
import type { Client } from '../clients/client.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { runningStatuses, type Subscription } from '../lifecycle/subscription.ts';
import {
  afterReinstatement,
  afterReversal,
  isOutstanding,
  type ReversalCause,
  type Reversals,
} from '../payments/reversals.ts';
import type { Payment } from '../payments/store.ts';
import { getCurrent, settlementDeps, writeEvent, writeUnapplied } from './invoice-events.ts';
import { runDueSteps } from './run-due-steps.ts';
import type { SubscriptionWithClient, Write } from './subscription-store.ts';

/** The reversal of a payment, by a refund or a dispute, or the end of a dispute that was won. */
export interface ReversalEvent extends ReversalCause {
  applicationId: string;
  /** The gateway's id of the payment. */
  paymentId: string;
  /** The gateway's id of the event. An event can be delivered more than once. */
  eventId: string;
}

const deps = settlementDeps;

/**
 * Records the reversal of a payment: its invoice is open again. Further events of the same reversal, and further causes,
 * change nothing else.
 *
 * @returns 'waiting' when the payment was not reported yet; the reversal is recorded with the payment.
 * @throws ApiError `conflict` after too many concurrent writes: the gateway has to deliver the event again.
 */
export async function recordReversal(event: ReversalEvent): Promise<'applied' | 'repeated' | 'waiting'> {
  const { applicationId, eventId } = event;
  return retryOnConflict(async () => {
    const { payment, isRepeated } = await deps.payments.get(applicationId, event);
    if (isRepeated || payment?.status === 'unapplied') return 'repeated';
    const reversals = afterReversal(payment, event);
    if (reversals === undefined) return 'repeated';
    if (payment?.status === 'applied') return reopenInvoice(payment, eventId, reversals);
    const isWritten = await writeOnly(event, payment, { reversals });
    if (!isWritten) return undefined;
    return payment?.status === 'reversed' ? 'repeated' : 'waiting';
  });
}

/**
 * Records the reversal that was reported before its payment, once the payment is applied. Safe to repeat.
 *
 * @throws as {@link recordReversal}
 */
export async function recordEarlierReversal({
  applicationId,
  paymentId,
}: Pick<ReversalEvent, 'applicationId' | 'paymentId'>): Promise<void> {
  const eventId = `${paymentId}#reversed`;
  await retryOnConflict(async () => {
    const { payment, isRepeated } = await deps.payments.get(applicationId, { paymentId, eventId });
    if (isRepeated || payment?.status !== 'applied' || !payment.reversalOf) return 'repeated';
    return reopenInvoice(payment, eventId, payment.reversals);
  });
}

/**
 * Records that the money of a reversed payment came back: its invoice is paid again, and the subscription is what it was
 * without the reversal, as far as its dates allow. If the invoice was paid otherwise in the meantime, the payment is
 * recorded on the timeline as unapplied, to be refunded.
 *
 * @returns 'recorded' when nothing is to be restored: the reversal or the payment was not reported yet, or another
 * reversal of the payment stands.
 * @throws as {@link recordReversal}
 */
export async function recordReinstatement(
  event: ReversalEvent,
): Promise<'applied' | 'repeated' | 'unapplied' | 'recorded'> {
  const { applicationId, eventId } = event;
  return retryOnConflict(async () => {
    const { payment, isRepeated } = await deps.payments.get(applicationId, event);
    if (isRepeated || payment?.status === 'unapplied') return 'repeated';
    const reversals = afterReinstatement(payment, event);
    if (reversals === undefined) return 'repeated';
    if (payment?.status === 'reversed' && !isOutstanding(reversals))
      return restoreInvoice(payment, eventId, reversals);
    const reversalOf = (payment?.reversalOf && isOutstanding(reversals)) || undefined;
    const isWritten = await writeOnly(event, payment, { reversals, ...defined({ reversalOf }) });
    return isWritten ? 'recorded' : undefined;
  });
}

/** Writes what is known of a payment, and nothing of its subscription. */
function writeOnly(
  { applicationId, paymentId, eventId }: ReversalEvent,
  payment: Payment | undefined,
  known: Pick<Payment, 'reversals' | 'reversalOf'>,
): Promise<boolean> {
  const { status = 'waiting', invoiceId } = payment ?? {};
  const recordedAtMs = deps.clock.nowMs();
  const next = { applicationId, paymentId, status, recordedAtMs, ...defined({ invoiceId }), ...known };
  const writes = deps.payments.recordingWrites(next, eventId, payment);
  return deps.subscriptions.write([], [], undefined, writes);
}

/** The writes that record an event with the new status of its payment. */
function recordingOf(payment: Payment, eventId: string, reversals: Reversals | undefined) {
  const { applicationId, paymentId, invoiceId } = payment;
  return (status: Payment['status']): Write[] => {
    const recordedAtMs = deps.clock.nowMs();
    const known = defined({ invoiceId, reversals });
    const next = { applicationId, paymentId, status, recordedAtMs, ...known };
    return deps.payments.recordingWrites(next, eventId, payment);
  };
}

/** @returns undefined after a concurrent write. */
async function reopenInvoice(
  payment: Payment,
  eventId: string,
  reversals: Reversals | undefined,
): Promise<'applied' | 'repeated' | undefined> {
  const { applicationId, invoiceId = '' } = payment;
  const invoice = await deps.queries.getInvoice(applicationId, invoiceId);
  const current = invoice && (await getCurrent(invoice, [invoice]));
  if (invoice === undefined || current === undefined) return 'repeated';
  const recording = recordingOf(payment, eventId, reversals);
  const event = { event: 'payment_reversed', reversed: openInvoiceOf(invoice) } as const;
  const outcome = await writeEvent(current, event, recording('reversed'));
  if (outcome.kind === 'conflict') return undefined;
  return outcome.kind === 'changed' ? 'applied' : 'repeated';
}

/** @returns undefined after a concurrent write. */
async function restoreInvoice(
  payment: Payment,
  eventId: string,
  reversals: Reversals,
): Promise<'applied' | 'repeated' | 'unapplied' | undefined> {
  const { applicationId, invoiceId = '', paymentId } = payment;
  const found = await deps.queries.getInvoice(applicationId, invoiceId);
  const current = found && (await getCurrent(found, [found]));
  // The invoice is read after its subscription: a change of both in between fails the condition of the write.
  const invoice = current && (await deps.queries.getInvoice(applicationId, invoiceId));
  if (current === undefined || invoice === undefined) return 'repeated';
  const recording = recordingOf(payment, eventId, reversals);
  if (invoice.status !== 'paid') {
    const { client, subscription } = current;
    const { n } = invoice;
    const isRestorable = await isRestorableWith(n, client, subscription);
    const outcome = await writeEvent(
      { client, subscription, invoices: [invoice] },
      {
        event: 'payment_reinstated',
        reversed: openInvoiceOf(invoice),
        paid: [n],
        paymentId,
        isRestorable,
      },
      recording('applied'),
      isRestorable ? restoredClient(client, subscription) : undefined,
    );
    if (outcome.kind === 'conflict') return undefined;
    if (outcome.kind === 'changed') return 'applied';
  }
  return writeUnapplied(current, invoice, { paymentId }, recording('unapplied'));
}

/** Whether an expired subscription is active again once its n-th invoice is paid. */
async function isRestorableWith(
  n: number,
  client: Client,
  { status, endReason, termEndMs = 0, reversedAtEnd = [n], subscriptionId }: Subscription,
): Promise<boolean> {
  if (status !== 'expired' || endReason !== 'unpaid' || termEndMs <= deps.clock.nowMs()) return false;
  if (reversedAtEnd.some((other) => other !== n)) return false;
  const { applicationId, externalId, runningId, pendingId } = client;
  const otherIds = [runningId, pendingId].filter((id) => id !== undefined && id !== subscriptionId);
  if (otherIds.length === 0) return true;
  const { subscriptions } = await deps.subscriptions.getWithClient(applicationId, externalId, otherIds);
  const others = await Promise.all(
    subscriptions.map(async (subscription) =>
      subscription === undefined
        ? undefined
        : (await runDueSteps({ client, subscription, invoices: [] }, deps)).subscription,
    ),
  );
  return !others.some((other) => other !== undefined && isKept(other));
}

/** A pending subscription is the client's choice too. */
const isKept = ({ status }: SubscriptionWithClient['subscription']) =>
  status === 'pending' || runningStatuses.includes(status);

/** The subscription runs again, on the condition that the client has started no other one since the read. */
function restoredClient(client: Client, { subscriptionId }: Subscription) {
  const { trialUsedAtMs } = client;
  return { client, set: { runningId: subscriptionId, ...defined({ trialUsedAtMs }) } };
}

function openInvoiceOf({ n, invoiceId, totalMinor, currency, gateway }: Invoice) {
  const atStripe = gateway !== 'none' || undefined;
  return { n, invoiceId, totalMinor, currency, ...defined({ atStripe }) };
}
