import type { Client } from '../../clients/client.ts';
import { defined } from '../../shared/contract/defined.ts';
import type { ClientSubscriptionsChange } from '../../subscriptions/commands/client-subscriptions-store.ts';
import type { MoreWrites, SubscriptionWithClient } from '../../subscriptions/commands/subscription-store.ts';
import { appliedChange, type Change, decide, type Outcome } from '../../subscriptions/machine/decide.ts';
import { type CommonContext, type Event, transitionContext } from '../../subscriptions/machine/event.ts';
import { takenOver } from '../../subscriptions/machine/first-term.ts';
import { runningStatuses, type Subscription } from '../../subscriptions/record/subscription.ts';
import { getCurrent, settlementDeps, writeEvent } from './event.ts';

const deps = settlementDeps;

type OfClient = Pick<SubscriptionWithClient, 'client' | 'subscription'>;

/**
 * Applies a payment, together with its effect on the client's other subscription. A pending subscription that
 * is paid replaces a trial, whose remainder is kept, or an overdue subscription. A running subscription that
 * is paid supersedes a pending one. So a client never has two running subscriptions.
 *
 * @param more what is written in the same transaction.
 * @returns `refused` also when another subscription of the client is active or paused.
 */
export async function applyPayment(
  current: SubscriptionWithClient,
  payment: Omit<Event<'payment'>, 'event' | 'replaced'>,
  { by, mails }: Pick<CommonContext, 'by' | 'mails'>,
  more: (change: Change) => MoreWrites,
): Promise<Outcome | { readonly kind: 'refused' }> {
  const { client, subscription } = current;
  const isPending = subscription.status === 'pending';
  const concurrent = await findConcurrent(current);
  if (isPending && concurrent !== undefined && isKept(concurrent)) return { kind: 'refused' };
  const replaced = isPending && concurrent !== undefined ? takenOver(concurrent) : undefined;
  const paid: Event<'payment'> = { ...payment, event: 'payment', replaced };
  return writeEvent(current, paid, { by, mails }, more, (change) => {
    const event = isPending ? 'replace' : 'supersede';
    // A subscription that is paid in part stays overdue. The pending one may still replace it.
    const displaced =
      change.next.status === 'active' && concurrent !== undefined
        ? appliedChange(decide(concurrent, transitionContext({ event }, { by, client }, deps)))
        : undefined;
    return { displaced, client: clientChange(client, change, displaced !== undefined) };
  });
}

export function findConcurrent(current: OfClient): Promise<Subscription | undefined> {
  const { client, subscription } = current;
  return otherOf(current, subscription.status === 'pending' ? client.runningId : client.pendingId);
}

/** Whether the client has no other subscription that runs or is pending: a pending one is the client's choice too. */
export async function isAlone(current: OfClient): Promise<boolean> {
  const { runningId, pendingId } = current.client;
  const others = await Promise.all([runningId, pendingId].map((id) => otherOf(current, id)));
  return others.every(
    (other) => other === undefined || (other.status !== 'pending' && !runningStatuses.includes(other.status)),
  );
}

async function otherOf(
  { subscription }: OfClient,
  subscriptionId: string | undefined,
): Promise<Subscription | undefined> {
  if (subscriptionId === subscription.subscriptionId) return undefined;
  const { applicationId, externalId } = subscription;
  return (await getCurrent({ applicationId, externalId, ...defined({ subscriptionId }) }))?.subscription;
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
  return previous?.status === 'pending' || hasDisplaced ? runningClient(client, next) : { client };
}

/** The subscription is the only one of the client that runs, on the condition that they have started no other one since the read. */
export function runningClient(
  client: Client,
  { subscriptionId }: Pick<Subscription, 'subscriptionId'>,
): ClientSubscriptionsChange {
  const { trialUsedAtMs } = client;
  return { client, set: { runningId: subscriptionId, ...defined({ trialUsedAtMs }) } };
}
