import type { Client } from '../../clients/client.ts';
import { defined } from '../../shared/contract/defined.ts';
import type { MoreWrites } from '../../subscriptions/commands/change-writes-store.ts';
import {
  type ClientSubscriptionsChange,
  withCredits,
} from '../../subscriptions/commands/client-subscriptions-store.ts';
import {
  type RunStepsDeps,
  runDueSteps,
  scheduleChangeFollowUp,
} from '../../subscriptions/commands/run-due-steps.ts';
import type { SubscriptionWithClient } from '../../subscriptions/commands/subscription-store.ts';
import { appliedChange, type Change, decide, type Outcome } from '../../subscriptions/machine/decide.ts';
import type { Event } from '../../subscriptions/machine/event.ts';
import { takenOver } from '../../subscriptions/machine/first-term.ts';
import { type CommonContext, transitionContext } from '../../subscriptions/machine/transition-context.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';

/**
 * Applies a payment, together with its effect on the client's other subscription. A pending subscription that
 * is paid replaces a trial, whose remainder is kept, or an overdue subscription. A running subscription that
 * is paid supersedes a pending one. So a client never has two running subscriptions.
 *
 * @param more what is written in the same transaction.
 * @returns `refused` also when another subscription of the client is active or paused.
 */
export async function applyPayment(
  { client, subscription, invoices }: SubscriptionWithClient,
  payment: Omit<Event<'payment'>, 'event' | 'replaced'>,
  { by, mails }: Pick<CommonContext, 'by' | 'mails'>,
  deps: RunStepsDeps,
  more: (change: Change) => MoreWrites,
): Promise<Exclude<Outcome, { kind: 'refused' }> | { readonly kind: 'refused' }> {
  const isPending = subscription.status === 'pending';
  const concurrent = await findConcurrent(client, subscription, deps);
  if (isPending && concurrent !== undefined && isKept(concurrent)) return { kind: 'refused' };
  const replaced = isPending && concurrent !== undefined ? takenOver(concurrent) : undefined;
  const paid: Event<'payment'> = { ...payment, event: 'payment', replaced };
  const outcome = decide(subscription, transitionContext(paid, { by, mails, client }, deps));
  if (outcome.kind !== 'changed') return outcome;

  const { change } = outcome;
  const event = isPending ? 'replace' : 'supersede';
  // A subscription that is paid in part stays overdue. The pending one may still replace it.
  const displaced =
    change.next.status === 'active' && concurrent !== undefined
      ? appliedChange(decide(concurrent, transitionContext({ event }, { by, client }, deps)))
      : undefined;
  const changes = displaced === undefined ? [change] : [change, displaced];
  const ownChange = clientChange(client, change, displaced !== undefined);
  const isWritten = await deps.subscriptions.write(
    changes,
    invoices,
    withCredits(client, changes, ownChange),
    () => more(change),
  );
  if (!isWritten) return { kind: 'conflict' };
  if (displaced !== undefined) await scheduleChangeFollowUp(displaced, deps);
  return outcome;
}

/** The client's other subscription, running or pending, with its due steps taken. */
export async function findConcurrent(
  client: Client,
  { applicationId, externalId, subscriptionId, status }: Subscription,
  deps: RunStepsDeps,
): Promise<Subscription | undefined> {
  const id = status === 'pending' ? client.runningId : client.pendingId;
  if (id === undefined || id === subscriptionId) return undefined;
  const { subscriptions } = await deps.subscriptions.getWithClient(applicationId, externalId, [id]);
  const [subscription] = subscriptions;
  return subscription && (await runDueSteps({ client, subscription, invoices: [] }, deps)).subscription;
}

/** A paid term is not replaced. A free one is: its trial can have ended while the pending subscription waited for its payment. */
export function isKept({ status, plan }: Subscription): boolean {
  return (status === 'active' && plan.priceMinor > 0) || status === 'paused';
}

/**
 * A write that makes a subscription active is conditioned on the client, so that it fails when another
 * subscription has started since the read.
 */
function clientChange(
  client: Client,
  { previous, next }: Change,
  hasDisplaced: boolean,
): ClientSubscriptionsChange | undefined {
  if (next.status !== 'active' || previous?.status === 'active') return undefined;
  if (previous?.status !== 'pending' && !hasDisplaced) return { client };
  const { trialUsedAtMs } = client;
  return { client, set: { runningId: next.subscriptionId, ...defined({ trialUsedAtMs }) } };
}
