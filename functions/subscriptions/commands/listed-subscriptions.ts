import type { IndexedList } from '../../shared/lists/indexed-list.ts';
import { ofApplication } from '../../shared/lists/partitions.ts';
import { statusesIn } from '../../shared/lists/requests.ts';
import { type Subscription, statuses } from '../record/subscription.ts';
import type { SubscriptionFacts } from '../record/subscription-listing.ts';
import { readSubscription } from './subscription-queries.ts';

/**
 * The subscriptions of an application as a list, newest first.
 *
 * @param filter.status one or several, with commas. Undefined for all.
 */
export function subscriptionsOf<R>(
  applicationId: string,
  { status, planId }: Partial<Record<'status' | 'planId', string | undefined>>,
  toResponse: (subscription: Subscription) => R | Promise<R>,
): IndexedList<Subscription, R> {
  const wanted = statusesIn(status, statuses);
  return {
    source: ofApplication({ applicationId }, 'subscription', wanted),
    filters: [planId],
    passes: (facts: Pick<SubscriptionFacts, 'planId'>) => planId === undefined || facts.planId === planId,
    read: readSubscription,
    belongs: (subscription) =>
      wanted.includes(subscription.status) && (planId === undefined || subscription.plan.planId === planId),
    toResponse,
  };
}
