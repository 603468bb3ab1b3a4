import { getApplication } from '../shared/applications.ts';
import { nowMs } from '../shared/clock.ts';
import { ApiError } from '../shared/errors.ts';
import { recordId } from '../shared/record-id.ts';
import { untilWon } from '../shared/until-won.ts';
import { advance, followChange } from './advance.ts';
import { follow } from './arming.ts';
import type { Change } from './change.ts';
import type { Client } from './client.ts';
import { decideOn } from './deciding.ts';
import type { Invoice } from './invoice.ts';
import { pay } from './pay.ts';
import { type Payment, paymentStore } from './payment-store.ts';
import { planStore } from './plan-store.ts';
import { readingStore } from './reading-store.ts';
import type { Subscription } from './subscription.ts';
import { subscriptionStore, type Write } from './subscription-store.ts';

/** What a gateway reports of a payment. */
export interface PaymentReport {
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

export type ReversalReport = Pick<PaymentReport, 'applicationId' | 'paymentId' | 'eventId'>;

const deps = {
  ...{ subscriptions: subscriptionStore, plans: planStore, reading: readingStore, payments: paymentStore },
  ...{ getApplication, follow, nowMs, recordId },
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
  async settle(report: PaymentReport): Promise<'applied' | 'repeated' | 'unapplied' | 'unknown'> {
    const { applicationId, paymentId, invoiceId, eventId } = report;
    const invoice = await deps.reading.invoice(applicationId, invoiceId);
    if (invoice === undefined) return 'unknown';
    return untilWon(async () => {
      const { payment, isRepeated } = await deps.payments.seen(applicationId, report);
      if (isRepeated || (payment !== undefined && payment.status !== 'waiting')) {
        // The first report broke off before it was done.
        if (payment?.status === 'applied' && payment.takenBack) await this.reverse(takenBack(report));
        return 'repeated';
      }
      const found = await load(invoice);
      if (found === undefined) return 'unknown';
      const record = (status: Payment['status']): Write[] => {
        const now: Payment = {
          ...{ applicationId, paymentId, invoiceId, status, atMs: deps.nowMs() },
          ...(payment?.status === 'waiting' && { takenBack: true }),
        };
        return deps.payments.recording(now, eventId, payment);
      };
      const change = await applied(found, invoice, report, record('applied'));
      if (change === 'lost') return undefined;
      if (change === undefined) {
        const noted = await note(found, invoice, report, record('unapplied'));
        return noted ? 'unapplied' : undefined;
      }
      await followChange(change, deps);
      // It was taken back before it was reported.
      if (payment?.status === 'waiting') await this.reverse(takenBack(report));
      return 'applied';
    });
  },

  /**
   * A payment was taken back: its invoice is open again.
   *
   * @returns 'waiting' when the payment was not reported yet: it is remembered, and done with the payment.
   * @throws ApiError `conflict` as {@link settle}
   */
  async reverse(report: ReversalReport): Promise<'applied' | 'repeated' | 'waiting'> {
    const { applicationId, paymentId, eventId } = report;
    return untilWon(async () => {
      const { payment, isRepeated } = await deps.payments.seen(applicationId, report);
      if (isRepeated || payment?.status === 'reversed' || payment?.status === 'unapplied') return 'repeated';
      const record = (status: Payment['status']): Write[] => {
        const { invoiceId } = payment ?? {};
        const now: Payment = {
          ...{ applicationId, paymentId, status, atMs: deps.nowMs() },
          ...(invoiceId !== undefined && { invoiceId }),
        };
        return deps.payments.recording(now, eventId, payment);
      };
      if (payment?.invoiceId === undefined) {
        if (payment !== undefined) return 'repeated';
        return (await deps.subscriptions.write([], undefined, record('waiting'))) ? 'waiting' : undefined;
      }
      const invoice = await deps.reading.invoice(applicationId, payment.invoiceId);
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
      const change = decideOn(found, asking, 'gateway', deps);
      if (change === undefined || change === 'holds') return 'repeated';
      if (!(await deps.subscriptions.write([change], undefined, record('reversed')))) return undefined;
      await followChange(change, deps);
      return 'applied';
    });
  },
};

/** The report of a payment that was taken back before, as that of its taking back. */
const takenBack = ({ applicationId, paymentId }: PaymentReport): ReversalReport => ({
  ...{ applicationId, paymentId, eventId: `${paymentId}#reversed` },
});

/** The subscription of an invoice, its steps taken that are due. */
async function load(invoice: Invoice): Promise<{ client: Client; subscription: Subscription } | undefined> {
  const { applicationId, externalId, subscriptionId } = invoice;
  const { client, subscriptions } = await deps.subscriptions.load(applicationId, externalId, [
    subscriptionId,
  ]);
  const [subscription] = subscriptions;
  return client && subscription && advance({ client, subscription }, deps);
}

/** @returns undefined when it buys nothing. */
async function applied(
  found: { client: Client; subscription: Subscription },
  { n, totalMinor, currency }: Invoice,
  { paymentId, ...report }: PaymentReport,
  also: readonly Write[],
): Promise<Change | 'lost' | undefined> {
  const isOpen = found.subscription.open.some((invoice) => invoice.n === n);
  const isWhole = report.amountMinor === totalMinor && report.currency.toUpperCase() === currency;
  if (!isOpen || !isWhole) return undefined;
  try {
    const change = await pay(found, { by: 'gateway', paid: [n], paymentId }, deps, also);
    return change === 'holds' ? undefined : change;
  } catch (error) {
    // Another subscription of the client runs already.
    if (error instanceof ApiError && error.code === 'conflict') return undefined;
    throw error;
  }
}

async function note(
  found: { client: Client; subscription: Subscription },
  { number }: Invoice,
  { paymentId }: PaymentReport,
  also: readonly Write[],
): Promise<boolean> {
  const asking = { event: 'payment_unapplied', unapplied: { invoice: number, paymentId } } as const;
  const change = decideOn(found, asking, 'gateway', deps);
  if (change === undefined || change === 'holds') return true;
  if (!(await deps.subscriptions.write([change], undefined, also))) return false;
  await followChange(change, deps);
  return true;
}
