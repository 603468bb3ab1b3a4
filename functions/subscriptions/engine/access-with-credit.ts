import type { clientStore } from '../clients/store.ts';
import { type Access, accessAt } from '../state/access.ts';
import type { Subscription } from '../state/subscription.ts';

/**
 * The level of access, also while the step is late that renews the subscription from the client's credit. Only then the
 * client is read.
 */
export async function accessWithCredit(
  subscription: Subscription,
  nowMs: number,
  { clients }: { clients: Pick<typeof clientStore, 'get'> },
): Promise<Access> {
  const access = accessAt(subscription, nowMs);
  if (access === 'full' || (subscription.timer?.dueAtMs ?? Number.POSITIVE_INFINITY) > nowMs) return access;
  // A step is seldom late. What decides on it is loaded then.
  const { withCoveredTerm } = await import('../lifecycle/covered-term.ts');
  const client = await clients.get(subscription.applicationId, subscription.externalId);
  return client === undefined ? access : accessAt(withCoveredTerm(subscription, client, nowMs), nowMs);
}
