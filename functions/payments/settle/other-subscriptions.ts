import { defined } from '../../shared/contract/defined.ts';
import { type RunStepsDeps, runDueSteps } from '../../subscriptions/commands/run-due-steps.ts';
import type { SubscriptionWithClient } from '../../subscriptions/commands/subscription-store.ts';
import { runningStatuses } from '../../subscriptions/record/subscription.ts';

/** Whether the client has no other subscription that runs or is pending: a pending one is the client's choice too. */
export async function isAlone(
  { client, subscription: { subscriptionId } }: Pick<SubscriptionWithClient, 'client' | 'subscription'>,
  deps: RunStepsDeps,
): Promise<boolean> {
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
  return !others.some(
    (other) => other !== undefined && (other.status === 'pending' || runningStatuses.includes(other.status)),
  );
}

/** An ended subscription runs again, on the condition that the client has started no other one since the read. */
export function revivedClient({
  client,
  subscription,
}: Pick<SubscriptionWithClient, 'client' | 'subscription'>) {
  const { trialUsedAtMs } = client;
  return { client, set: { runningId: subscription.subscriptionId, ...defined({ trialUsedAtMs }) } };
}
