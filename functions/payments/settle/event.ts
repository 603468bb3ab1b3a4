import type { Invoice } from '../../invoices/invoice.ts';
import { invoiceStore } from '../../invoices/store.ts';
import { paymentStore } from '../../ledger/payment-store.ts';
import { planStore } from '../../plans/store.ts';
import { getApplication } from '../../shared/accounts/applications.ts';
import { clock } from '../../shared/runtime/clock.ts';
import { newId } from '../../shared/runtime/ids.ts';
import type { MoreWrites } from '../../subscriptions/commands/change-writes-store.ts';
import {
  type ClientSubscriptionsChange,
  withCredits,
} from '../../subscriptions/commands/client-subscriptions-store.ts';
import { runDueSteps, scheduleChangeFollowUp } from '../../subscriptions/commands/run-due-steps.ts';
import {
  type SubscriptionOwner,
  subscriptionQueries,
} from '../../subscriptions/commands/subscription-queries.ts';
import {
  type SubscriptionWithClient,
  subscriptionStore,
} from '../../subscriptions/commands/subscription-store.ts';
import { type Change, decide, type Outcome } from '../../subscriptions/machine/decide.ts';
import type { Event, EventName } from '../../subscriptions/machine/event.ts';
import { transitionContext } from '../../subscriptions/machine/transition-context.ts';
import type { Actor } from '../../subscriptions/record/timeline-entry.ts';
import { scheduleFollowUp } from '../../subscriptions/timers/schedule.ts';

/** The dependencies of what gateways report. */
export const settlementDeps = {
  subscriptions: subscriptionStore,
  plans: planStore,
  queries: subscriptionQueries,
  invoices: invoiceStore,
  payments: paymentStore,
  getApplication,
  scheduleFollowUp,
  clock,
  newId,
};
const deps = settlementDeps;

/**
 * A subscription with its due steps taken.
 *
 * @param invoices of the subscription, as read just before.
 */
export async function getCurrent(
  { applicationId, externalId, subscriptionId }: SubscriptionOwner,
  invoices: readonly Invoice[],
): Promise<SubscriptionWithClient | undefined> {
  const { client, subscriptions } = await deps.subscriptions.getWithClient(applicationId, externalId, [
    subscriptionId,
  ]);
  const [subscription] = subscriptions;
  return client && subscription && runDueSteps({ client, subscription, invoices }, deps);
}

/**
 * Writes an event about a payment and schedules its follow-up.
 *
 * @param more what is written in the same transaction.
 * @param restored the change of the client when the event makes an ended subscription active again.
 */
export async function writeEvent<E extends EventName>(
  { client, subscription, invoices }: SubscriptionWithClient,
  event: Event<E>,
  { by, mails = 'sent' }: { by: Actor; mails?: 'sent' | 'held' },
  more: (change: Change) => MoreWrites,
  restored?: ClientSubscriptionsChange,
): Promise<Outcome> {
  const outcome = decide(subscription, transitionContext(event, { by, mails, client }, deps));
  if (outcome.kind !== 'changed') return outcome;
  const { change } = outcome;
  const clientChange = withCredits(client, [change], restored);
  const isWritten = await deps.subscriptions.write([change], invoices, clientChange, () => more(change));
  if (!isWritten) return { kind: 'conflict' };
  await scheduleChangeFollowUp(change, deps);
  return outcome;
}
