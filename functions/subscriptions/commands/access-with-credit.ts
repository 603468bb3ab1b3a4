import type { clientStore } from '../../clients/store.ts';
import { type Access, accessAt } from '../record/access.ts';
import type { Status, Subscription } from '../record/subscription.ts';

/** The statuses whose next step can begin a term that the client's credit pays. */
const renewable: readonly Status[] = ['trialing', 'active', 'paused'];

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
  const { status, timer } = subscription;
  if (access === 'full' || !renewable.includes(status)) return access;
  if (timer === undefined || timer.dueAtMs > nowMs) return access;
  // A step is seldom late. What decides on it is loaded then.
  const { withCoveredTerm } = await import('../machine/covered-term.ts');
  const client = await clients.get(subscription.applicationId, subscription.externalId);
  return client === undefined ? access : accessAt(withCoveredTerm(subscription, client, nowMs), nowMs);
}
