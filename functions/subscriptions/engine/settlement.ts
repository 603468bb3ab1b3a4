import { getApplication } from '../../shared/accounts/applications.ts';
import { defined } from '../../shared/contract/defined.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { clock } from '../../shared/runtime/clock.ts';
import { newId } from '../../shared/runtime/ids.ts';
import { retryOnConflict } from '../../shared/table/optimistic-retry.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { decide, type Outcome } from '../lifecycle/decide.ts';
import { type TransitionContext, transitionContext } from '../lifecycle/transition-context.ts';
import { planStore } from '../plans/store.ts';
import { scheduleFollowUp } from '../scheduling/schedule.ts';
import { applyPayment } from './apply-payment.ts';
import { type Payment, paymentStore } from './payment-store.ts';
import { runDueSteps, scheduleChangeFollowUp } from './run-due-steps.ts';
import { subscriptionQueries } from './subscription-queries.ts';
import { type SubscriptionWithClient, subscriptionStore, type Write } from './subscription-store.ts';

/** A payment that a gateway reports. */
export interface PaymentEvent {
  applicationId: string;
  invoiceId: string;
  /** The gateway's id of the payment. A payment is applied once. */
  paymentId: string;
  /** The gateway's id of the event. An event can be delivered more than once. */
  eventId: string;
  /** In minor units of the currency. */
  amountMinor: number;
  currency: string;
}

/** The reversal of a payment: a refund or a dispute. */
export type ReversalEvent = Pick<PaymentEvent, 'applicationId' | 'paymentId' | 'eventId'>;

const deps = {
  subscriptions: subscriptionStore,
  plans: planStore,
  queries: subscriptionQueries,
  payments: paymentStore,
  getApplication,
  scheduleFollowUp,
  clock,
  newId,
};

/** Records what payment gateways report: each event once, in any order. */
export const settlement = {
  /**
   * Records a payment. A payment that cannot be applied (its invoice is paid or void or has another amount,
   * or the subscription is paused or has ended) is recorded on the timeline, to be refunded.
   *
   * @returns 'unknown' when the application has no such invoice; nothing is recorded then.
   * @throws ApiError `conflict` after too many concurrent writes: the gateway has to deliver the event again.
   */
  async recordPayment(event: PaymentEvent): Promise<'applied' | 'repeated' | 'unapplied' | 'unknown'> {
    const { applicationId, paymentId, invoiceId, eventId } = event;
    const invoice = await deps.queries.getInvoice(applicationId, invoiceId);
    if (invoice === undefined) return 'unknown';
    return retryOnConflict(async () => {
      const { payment, isRepeated } = await deps.payments.get(applicationId, event);
      const isReversed = payment?.status === 'waiting';
      if (isRepeated || (payment !== undefined && !isReversed)) {
        // The first delivery failed before the reversal was recorded.
        if (payment?.status === 'applied' && payment.reversalOf) {
          await this.recordReversal(knownReversal(event));
        }
        return 'repeated';
      }
      const current = await getCurrent(invoice);
      if (current === undefined) return 'unknown';
      const recording = (status: Payment['status']): Write[] => {
        const recordedAtMs = deps.clock.nowMs();
        const reversalOf = isReversed || undefined;
        const next = {
          applicationId,
          paymentId,
          invoiceId,
          status,
          recordedAtMs,
          ...defined({ reversalOf }),
        };
        return deps.payments.recordingWrites(next, eventId, payment);
      };
      const outcome = await applyToInvoice(current, invoice, event, recording('applied'));
      if (outcome.kind === 'conflict') return undefined;
      if (outcome.kind !== 'changed') {
        const unapplied = { invoice: invoice.number, paymentId };
        const recorded = await writeEvent(
          current,
          { event: 'payment_unapplied', unapplied },
          recording('unapplied'),
        );
        return recorded.kind === 'conflict' ? undefined : 'unapplied';
      }
      await scheduleChangeFollowUp(outcome.change, deps);
      // The reversal was reported before the payment.
      if (isReversed) await this.recordReversal(knownReversal(event));
      return 'applied';
    });
  },

  /**
   * Records the reversal of a payment: its invoice is open again.
   *
   * @returns 'waiting' when the payment was not reported yet; the reversal is recorded with the payment.
   * @throws ApiError `conflict` as {@link settlement.recordPayment}
   */
  async recordReversal(event: ReversalEvent): Promise<'applied' | 'repeated' | 'waiting'> {
    const { applicationId, paymentId, eventId } = event;
    return retryOnConflict(async () => {
      const { payment, isRepeated } = await deps.payments.get(applicationId, event);
      if (isRepeated || payment?.status === 'reversed' || payment?.status === 'unapplied') return 'repeated';
      const recording = (status: Payment['status']): Write[] => {
        const recordedAtMs = deps.clock.nowMs();
        const invoiceId = payment?.invoiceId;
        const next = { applicationId, paymentId, status, recordedAtMs, ...defined({ invoiceId }) };
        return deps.payments.recordingWrites(next, eventId, payment);
      };
      if (payment?.invoiceId === undefined) {
        if (payment !== undefined) return 'repeated';
        const isWritten = await deps.subscriptions.write([], undefined, recording('waiting'));
        return isWritten ? 'waiting' : undefined;
      }
      const invoice = await deps.queries.getInvoice(applicationId, payment.invoiceId);
      const current = invoice && (await getCurrent(invoice));
      if (invoice === undefined || current === undefined) return 'repeated';
      const { n, invoiceId, totalMinor, currency, gateway } = invoice;
      const atStripe = gateway === 'stripe' || undefined;
      const reversed = { n, invoiceId, totalMinor, currency, ...defined({ atStripe }) };
      const outcome = await writeEvent(
        current,
        { event: 'payment_reversed', reversed },
        recording('reversed'),
      );
      if (outcome.kind === 'conflict') return undefined;
      return outcome.kind === 'changed' ? 'applied' : 'repeated';
    });
  },
};

/** The event of a reversal that was reported before its payment. */
const knownReversal = ({ applicationId, paymentId }: PaymentEvent): ReversalEvent => ({
  applicationId,
  paymentId,
  eventId: `${paymentId}#reversed`,
});

/** The subscription of an invoice, with its due steps taken. */
async function getCurrent(invoice: Invoice): Promise<SubscriptionWithClient | undefined> {
  const { applicationId, externalId, subscriptionId } = invoice;
  const { client, subscriptions } = await deps.subscriptions.getWithClient(applicationId, externalId, [
    subscriptionId,
  ]);
  const [subscription] = subscriptions;
  return client && subscription && runDueSteps({ client, subscription }, deps);
}

/** Applies a payment to its invoice; `refused` when it cannot be applied. */
async function applyToInvoice(
  current: SubscriptionWithClient,
  { n, totalMinor, currency }: Invoice,
  { paymentId, ...event }: PaymentEvent,
  writes: readonly Write[],
): Promise<Outcome> {
  const isOpen = current.subscription.openInvoices.some((invoice) => invoice.n === n);
  const isWhole = event.amountMinor === totalMinor && event.currency.toUpperCase() === currency;
  if (!isOpen || !isWhole) return { kind: 'refused' };
  try {
    return await applyPayment(current, { by: 'gateway', paid: [n], paymentId }, deps, writes);
  } catch (error) {
    // Another subscription of the client is active or paused.
    if (error instanceof ApiError && error.code === 'conflict') return { kind: 'refused' };
    throw error;
  }
}

/** Writes an event of the gateway and schedules its follow-up. */
async function writeEvent(
  { client, subscription }: SubscriptionWithClient,
  event: Pick<TransitionContext, 'event' | 'reversed' | 'unapplied'>,
  writes: readonly Write[],
): Promise<Outcome> {
  const outcome = decide(subscription, transitionContext({ ...event, client, by: 'gateway' }, deps));
  if (outcome.kind !== 'changed') return outcome;
  const isWritten = await deps.subscriptions.write([outcome.change], undefined, writes);
  if (!isWritten) return { kind: 'conflict' };
  await scheduleChangeFollowUp(outcome.change, deps);
  return outcome;
}
