import { type Listing, listingAt } from '../../shared/table/listing.ts';
import type { Movement } from './movement.ts';
import type { EndReason, Subscription } from './subscription.ts';

export interface SubscriptionFacts {
  planId: string;
  trialStartMs?: number;
  endedAtMs?: number;
  endReason?: EndReason;
  /** Absent until the subscription first contributes to the recurring revenue. */
  movements?: readonly Movement[];
}

/** The place of a subscription in the index `listed`: by status and creation. A renewal changes none of it. */
export function subscriptionListing(subscription: Subscription): Listing {
  const { applicationId, subscriptionId, status, createdAtMs, plan } = subscription;
  const { trialStartMs, endedAtMs, endReason, movements } = subscription;
  const facts: Record<keyof SubscriptionFacts, unknown> = {
    planId: plan.planId,
    trialStartMs,
    endedAtMs,
    endReason,
    movements: movements.length > 0 ? movements : undefined,
  };
  return listingAt(
    { applicationId, kind: 'subscription', status },
    { id: subscriptionId, atMs: createdAtMs },
    facts,
  );
}
