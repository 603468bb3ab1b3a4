import { defined } from '../../shared/contract/defined.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { retryOnConflict } from '../../shared/table/optimistic-retry.ts';
import type { Invoice } from '../invoices/invoice.ts';
import type { Outcome } from '../lifecycle/decide.ts';
import { paymentGateway } from '../lifecycle/policy.ts';
import { isReversedBefore } from '../payments/reversals.ts';
import { type Payment, paymentStore } from '../payments/store.ts';
import { applyPayment } from './apply-payment.ts';
import { getCurrent, settlementDeps, writeUnapplied } from './invoice-events.ts';
import { scheduleChangeFollowUp } from './run-due-steps.ts';
import { recordEarlierReversal, recordReinstatement, recordReversal } from './settle-reversal.ts';
import type { SubscriptionWithClient, Write } from './subscription-store.ts';

export type { ReversalEvent } from './settle-reversal.ts';

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
  /**
   * The payment exists only because of a click: it is recorded on the condition that the sandbox is the gateway of the
   * application at that moment. Money that moved at Stripe is recorded whatever the gateway is by then.
   */
  isSandbox?: true;
}

const deps = settlementDeps;

/** Records what payment gateways report: each event once, in any order. */
export const settlement = {
  /**
   * Records a payment. A payment that cannot be applied (its invoice is paid or void or has another amount,
   * or the subscription is paused or has ended) is recorded on the timeline, to be refunded.
   *
   * @returns 'unknown' when the application has no such invoice, and 'refused' when the payment is one of the sandbox and
   * the sandbox is no longer the gateway of the application; nothing is recorded then.
   * @throws ApiError `conflict` after too many concurrent writes: the gateway has to deliver the event again.
   */
  async recordPayment(
    event: PaymentEvent,
  ): Promise<'applied' | 'repeated' | 'unapplied' | 'unknown' | 'refused'> {
    const { applicationId, paymentId, invoiceId, eventId, isSandbox } = event;
    const invoice = await deps.queries.getInvoice(applicationId, invoiceId);
    if (invoice === undefined) return 'unknown';
    let read = [invoice];
    return retryOnConflict(async () => {
      const [{ payment, isRepeated }, isAllowed] = await Promise.all([
        deps.payments.get(applicationId, event),
        isSandbox !== true || isSandboxOf(applicationId),
      ]);
      if (!isAllowed) return 'refused';
      if (isRepeated || (payment !== undefined && payment.status !== 'waiting')) {
        // The first delivery failed before the reversal was recorded.
        if (payment?.reversalOf) await recordEarlierReversal(event);
        return 'repeated';
      }
      const isReversed = isReversedBefore(payment);
      const current = await getCurrent(invoice, read);
      // A concurrent write may have changed the invoice since: the next round reads it again.
      read = [];
      if (current === undefined) return 'unknown';
      const recording = (status: Payment['status']): Write[] => {
        const next = {
          applicationId,
          paymentId,
          invoiceId,
          status,
          recordedAtMs: deps.clock.nowMs(),
          ...defined({ reversalOf: isReversed || undefined, reversals: payment?.reversals }),
        };
        const condition = isSandbox ? [paymentStore.sandboxCondition(applicationId)] : [];
        return [...condition, ...deps.payments.recordingWrites(next, eventId, payment)];
      };
      const outcome = await applyToInvoice(current, invoice, event, recording('applied'));
      if (outcome.kind === 'conflict') return undefined;
      if (outcome.kind !== 'changed') {
        const payment = { paymentId, amountMinor: event.amountMinor, currency: event.currency.toUpperCase() };
        return writeUnapplied(current, invoice, payment, recording('unapplied'));
      }
      await scheduleChangeFollowUp(outcome.change, deps);
      // The reversal was reported before the payment.
      if (isReversed) await recordEarlierReversal(event);
      return 'applied';
    });
  },

  recordReversal,
  recordReinstatement,
};

async function isSandboxOf(applicationId: string): Promise<boolean> {
  const application = await deps.getApplication(applicationId);
  return application !== undefined && paymentGateway(application.settings) === 'sandbox';
}

/** Applies a payment to its invoice; `refused` when it cannot be applied. */
async function applyToInvoice(
  current: SubscriptionWithClient,
  { n, totalMinor, currency }: Invoice,
  { paymentId, isSandbox, ...event }: PaymentEvent,
  writes: readonly Write[],
): Promise<Outcome> {
  const isOpen = current.subscription.openInvoices.some((invoice) => invoice.n === n);
  const isWhole = event.amountMinor === totalMinor && event.currency.toUpperCase() === currency;
  if (!isOpen || !isWhole) return { kind: 'refused' };
  const payment = { by: 'gateway', paid: [n], paymentId, ...defined({ isSandbox }) } as const;
  try {
    return await applyPayment(current, payment, deps, writes);
  } catch (error) {
    // Another subscription of the client is active or paused.
    if (error instanceof ApiError && error.code === 'conflict') return { kind: 'refused' };
    throw error;
  }
}
