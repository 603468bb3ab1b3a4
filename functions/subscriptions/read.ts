import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { toInvoiceResponse, toSubscriptionResponse, toTimelineEntryResponse } from './api/present.ts';
import { subscriptionQueries } from './engine/subscription-queries.ts';
import { routes } from './routes.ts';

/** An answer of a function holds 6 MB; of a very long timeline the latest entries are shown. */
const shownHappenings = 2_000;

const readDeps = () => ({ subscriptions: subscriptionQueries, nowMs });

/**
 * A subscription with its invoices and its timeline. These are read first: whatever they tell, the subscription that
 * is read after them has it too.
 */
export async function readSubscription(
  { params, caller }: Input<typeof routes.read>,
  { subscriptions, nowMs }: ReturnType<typeof readDeps>,
): Promise<Output<typeof routes.read>> {
  const details = await subscriptions.getDetails(params.id);
  const subscription = await subscriptions.getOwned(caller.applicationId, details?.getOwner);
  if (details === undefined || subscription === undefined) throw new ApiError('not_found');
  return {
    subscription: {
      ...toSubscriptionResponse(subscription, nowMs()),
      invoices: details.invoices.map(toInvoiceResponse),
      timeline: details.timeline.slice(-shownHappenings).map(toTimelineEntryResponse),
    },
  };
}

export const handler = endpoint(routes.read, readSubscription, readDeps, apiKeyCaller);
