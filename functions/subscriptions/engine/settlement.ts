import { getApplication } from '../../shared/accounts/applications.ts';
import { defined } from '../../shared/contract/defined.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { nowMs } from '../../shared/runtime/clock.ts';
import { newId } from '../../shared/runtime/ids.ts';
import { retryOnConflict } from '../../shared/table/optimistic-retry.ts';
import type { Client } from '../clients/client.ts';
import { decideFor } from '../deciding.ts';
import type { Invoice } from '../invoices/invoice.ts';
import type { Change } from '../lifecycle/decide.ts';
import type { Subscription } from '../lifecycle/subscription.ts';
import { planStore } from '../plans/store.ts';
import { scheduleFollowUp } from '../scheduling/schedule.ts';
import { applyPayment } from './apply-payment.ts';
import { type Payment, paymentStore } from './payment-store.ts';
import { runDueSteps, scheduleChangeFollowUp } from './run-due-steps.ts';
import { subscriptionQueries } from './subscription-queries.ts';
import { subscriptionStore, type Write } from './subscription-store.ts';

/** What a gateway reports of a payment. */
export interface PaymentEvent {
  applicationId: string;
  invoiceId: string;
  /** The gateway's name of the payment: one payment pays once. */
  paymentId: string;
  /** The gateway's name of the report: it may come more than once. */
  eventId: string;
  /** In minor units of the currency. */
  amountMinor: number;
  currency: string;
}

export type ReversalEvent = Pick<PaymentEvent, 'applicationId' | 'paymentId' | 'eventId'>;

const deps = {
  subscriptions: subscriptionStore,
  plans: planStore,
  reading: subscriptionQueries,
  payments: paymentStore,
  getApplication,
  scheduleFollowUp,
  nowMs,
  newId,
};

/** What payment gateways report, taken once each, whatever their order. */
export const settlement = {
  /**
   * A payment. What cannot buy anything (its invoice was paid, is void, or is of another amount; the subscription is paused or
   * has ended) is kept on the timeline: it has to be given back.
   *
   * @returns 'unknown' when the application has no such invoice: nothing is kept then.
   * @throws ApiError `conflict` when others were faster for too long: report it again.
   */
  async recordPayment(report: PaymentEvent): Promise<'applied' | 'repeated' | 'unapplied' | 'unknown'> {
    const { applicationId, paymentId, invoiceId, eventId } = report;
    const invoice = await deps.reading.getInvoice(applicationId, invoiceId);
    if (invoice === undefined) return 'unknown';
    return retryOnConflict(async () => {
      const { payment, isRepeated } = await deps.payments.seen(applicationId, report);
      if (isRepeated || (payment !== undefined && payment.status !== 'waiting')) {
        // The first report broke off before it was done.
        if (payment?.status === 'applied' && payment.reversalOf) await this.recordReversal(reversed(report));
        return 'repeated';
      }
      const found = await load(invoice);
      if (found === undefined) return 'unknown';
      const record = (status: Payment['status']): Write[] => {
        const now: Payment = {
          applicationId,
          paymentId,
          invoiceId,
          status,
          atMs: deps.nowMs(),
          ...(payment?.status === 'waiting' && { reversalOf: true }),
        };
        return deps.payments.recording(now, eventId, payment);
      };
      const change = await applied(found, invoice, report, record('applied'));
      if (change === 'lost') return undefined;
      if (change === undefined) {
        const noted = await recordUnapplied(found, invoice, report, record('unapplied'));
        return noted ? 'unapplied' : undefined;
      }
      await scheduleChangeFollowUp(change, deps);
      // It was taken back before it was reported.
      if (payment?.status === 'waiting') await this.recordReversal(reversed(report));
      return 'applied';
    });
  },

  /**
   * A payment was taken back: its invoice is open again.
   *
   * @returns 'waiting' when the payment was not reported yet: it is remembered, and done with the payment.
   * @throws ApiError `conflict` as {@link settle}
   */
  async recordReversal(report: ReversalEvent): Promise<'applied' | 'repeated' | 'waiting'> {
    const { applicationId, paymentId, eventId } = report;
    return retryOnConflict(async () => {
      const { payment, isRepeated } = await deps.payments.seen(applicationId, report);
      if (isRepeated || payment?.status === 'reversed' || payment?.status === 'unapplied') return 'repeated';
      const record = (status: Payment['status']): Write[] => {
        const { invoiceId } = payment ?? {};
        const now: Payment = {
          applicationId,
          paymentId,
          status,
          atMs: deps.nowMs(),
          ...defined({ invoiceId }),
        };
        return deps.payments.recording(now, eventId, payment);
      };
      if (payment?.invoiceId === undefined) {
        if (payment !== undefined) return 'repeated';
        return (await deps.subscriptions.write([], undefined, record('waiting'))) ? 'waiting' : undefined;
      }
      const invoice = await deps.reading.getInvoice(applicationId, payment.invoiceId);
      const found = invoice && (await load(invoice));
      if (invoice === undefined || found === undefined) return 'repeated';
      const { n, invoiceId, totalMinor, currency, gateway } = invoice;
      const reversed = {
        n,
        invoiceId,
        totalMinor,
        currency,
        ...(gateway === 'stripe' && { atStripe: true }),
      };
      const asking = { event: 'payment_reversed', reversed } as const;
      const change = decideFor(found, asking, 'gateway', deps);
      if (change === undefined || change === 'holds') return 'repeated';
      if (!(await deps.subscriptions.write([change], undefined, record('reversed')))) return undefined;
      await scheduleChangeFollowUp(change, deps);
      return 'applied';
    });
  },
};

/** The report of a payment that was taken back before, as that of its taking back. */
const reversed = ({ applicationId, paymentId }: PaymentEvent): ReversalEvent => ({
  applicationId,
  paymentId,
  eventId: `${paymentId}#reversed`,
});

/** The subscription of an invoice, its steps taken that are due. */
async function load(invoice: Invoice): Promise<{ client: Client; subscription: Subscription } | undefined> {
  const { applicationId, externalId, subscriptionId } = invoice;
  const { client, subscriptions } = await deps.subscriptions.getWithClient(applicationId, externalId, [
    subscriptionId,
  ]);
  const [subscription] = subscriptions;
  return client && subscription && runDueSteps({ client, subscription }, deps);
}

/** @returns undefined when it buys nothing. */
async function applied(
  found: { client: Client; subscription: Subscription },
  { n, totalMinor, currency }: Invoice,
  { paymentId, ...report }: PaymentEvent,
  also: readonly Write[],
): Promise<Change | 'lost' | undefined> {
  const isOpen = found.subscription.openInvoices.some((invoice) => invoice.n === n);
  const isWhole = report.amountMinor === totalMinor && report.currency.toUpperCase() === currency;
  if (!isOpen || !isWhole) return undefined;
  try {
    const change = await applyPayment(found, { by: 'gateway', paid: [n], paymentId }, deps, also);
    return change === 'holds' ? undefined : change;
  } catch (error) {
    // Another subscription of the client runs already.
    if (error instanceof ApiError && error.code === 'conflict') return undefined;
    throw error;
  }
}

async function recordUnapplied(
  found: { client: Client; subscription: Subscription },
  { number }: Invoice,
  { paymentId }: PaymentEvent,
  also: readonly Write[],
): Promise<boolean> {
  const asking = { event: 'payment_unapplied', unapplied: { invoice: number, paymentId } } as const;
  const change = decideFor(found, asking, 'gateway', deps);
  if (change === undefined || change === 'holds') return true;
  if (!(await deps.subscriptions.write([change], undefined, also))) return false;
  await scheduleChangeFollowUp(change, deps);
  return true;
}
