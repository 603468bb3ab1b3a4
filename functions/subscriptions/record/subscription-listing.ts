import { defined } from '../../shared/contract/defined.ts';
import { type Listing, listingAt } from '../../shared/table/listing.ts';
import type { Subscription } from './subscription.ts';

/** The place of a subscription in the index `listed`: by status and creation. A renewal changes none of it. */
export function subscriptionListing(subscription: Subscription): Listing {
  const { applicationId, subscriptionId: id, status, createdAtMs: atMs } = subscription;
  return listingAt({ applicationId, kind: 'subscription', status }, { id, atMs }, factsOf(subscription));
}

export type SubscriptionFacts = ReturnType<typeof factsOf>;

function factsOf({ plan, trialStartMs, endedAtMs, endReason, movements }: Subscription) {
  return defined({
    planId: plan.planId,
    trialStartMs,
    endedAtMs,
    endReason,
    // Until the subscription first contributes to the recurring revenue, there are none.
    movements: movements.length > 0 ? movements : undefined,
  });
}
