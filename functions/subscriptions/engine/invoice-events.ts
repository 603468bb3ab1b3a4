import { getApplication } from '../../shared/accounts/applications.ts';
import { clock } from '../../shared/runtime/clock.ts';
import { newId } from '../../shared/runtime/ids.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { decide, type Outcome } from '../lifecycle/decide.ts';
import type { UnappliedPayment } from '../lifecycle/subscription.ts';
import { type TransitionContext, transitionContext } from '../lifecycle/transition-context.ts';
import { paymentStore } from '../payments/store.ts';
import { planStore } from '../plans/store.ts';
import { scheduleFollowUp } from '../scheduling/schedule.ts';
import type { ClientSubscriptionsChange } from './client-subscriptions-store.ts';
import { runDueSteps, scheduleChangeFollowUp } from './run-due-steps.ts';
import { subscriptionQueries } from './subscription-queries.ts';
import { type SubscriptionWithClient, subscriptionStore, type Write } from './subscription-store.ts';

/** The dependencies of what gateways report. */
export const settlementDeps = {
  subscriptions: subscriptionStore,
  plans: planStore,
  queries: subscriptionQueries,
  payments: paymentStore,
  getApplication,
  scheduleFollowUp,
  clock,
  newId,
};
const deps = settlementDeps;

/**
 * The subscription of an invoice, with its due steps taken.
 *
 * @param invoices of the subscription, as read just before.
 */
export async function getCurrent(
  invoice: Invoice,
  invoices: readonly Invoice[],
): Promise<SubscriptionWithClient | undefined> {
  const { applicationId, externalId, subscriptionId } = invoice;
  const { client, subscriptions } = await deps.subscriptions.getWithClient(applicationId, externalId, [
    subscriptionId,
  ]);
  const [subscription] = subscriptions;
  return client && subscription && runDueSteps({ client, subscription, invoices }, deps);
}

/**
 * Writes an event of the gateway and schedules its follow-up.
 *
 * @param restored the change of the client when the event makes an ended subscription active again.
 */
export async function writeEvent(
  { client, subscription, invoices }: SubscriptionWithClient,
  event: Omit<TransitionContext, 'by' | 'client' | 'nowMs' | 'newInvoiceId' | 'newCreditNoteId'>,
  writes: readonly Write[],
  restored?: ClientSubscriptionsChange,
): Promise<Outcome> {
  const outcome = decide(subscription, transitionContext({ ...event, client, by: 'gateway' }, deps));
  if (outcome.kind !== 'changed') return outcome;
  const isWritten = await deps.subscriptions.write([outcome.change], invoices, restored, writes);
  if (!isWritten) return { kind: 'conflict' };
  await scheduleChangeFollowUp(outcome.change, deps);
  return outcome;
}

/**
 * Records money that pays no invoice on the timeline, to be refunded.
 *
 * @param payment by default one of the whole invoice.
 *
 * @returns undefined when the subscription has changed since it was read; nothing is written then.
 */
export async function writeUnapplied(
  current: SubscriptionWithClient,
  { number, invoiceId, totalMinor, currency }: Invoice,
  payment: { paymentId: string } & Partial<Pick<UnappliedPayment, 'amountMinor' | 'currency'>>,
  writes: readonly Write[],
): Promise<'unapplied' | undefined> {
  const unapplied = { invoice: number, invoiceId, amountMinor: totalMinor, currency, ...payment };
  const outcome = await writeEvent(current, { event: 'payment_unapplied', unapplied }, writes);
  return outcome.kind === 'conflict' ? undefined : 'unapplied';
}
