import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { toInvoiceResponse, toSubscriptionResponse, toTimelineEntryResponse } from './api/present.ts';
import { subscriptionQueries } from './engine/subscription-queries.ts';
import { routes } from './routes.ts';

/** A Lambda response is limited to 6 MB: of a very long timeline, only the latest entries are returned. */
const maxTimelineEntries = 2_000;

const readDeps = () => ({ subscriptions: subscriptionQueries, clock });

/**
 * Reads a subscription with its invoices and its timeline. The subscription is read last, so that it is at
 * least as recent as they are.
 */
export async function readSubscription(
  { params, caller }: Input<typeof routes.read>,
  { subscriptions, clock }: ReturnType<typeof readDeps>,
): Promise<Output<typeof routes.read>> {
  const details = await subscriptions.getDetails(params.id);
  const subscription = await subscriptions.getOwned(caller.applicationId, details?.owner);
  if (details === undefined || subscription === undefined) throw new ApiError('not_found');
  return {
    subscription: {
      ...toSubscriptionResponse(subscription, clock.nowMs()),
      invoices: details.invoices.map(toInvoiceResponse),
      timeline: details.timeline.slice(-maxTimelineEntries).map(toTimelineEntryResponse),
    },
  };
}

export const handler = endpoint(routes.read, readSubscription, readDeps, apiKeyCaller);
