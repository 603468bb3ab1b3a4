import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { type Listing, pageOf } from './api/pagination.ts';
import { toSubscriptionResponse } from './api/present.ts';
import { isSubscriptionId, subscriptionQueries } from './engine/subscription-queries.ts';
import { parseReference } from './lifecycle/reference-number.ts';
import type { Subscription } from './lifecycle/subscription.ts';
import { routes } from './routes.ts';

const listDeps = () => ({ subscriptions: subscriptionQueries, clock });
type SubscriptionResponse = ReturnType<typeof toSubscriptionResponse>;

/** Lists the subscriptions of a client, newest first, or the one with a reference number. */
export async function listSubscriptions(
  { query, caller: { applicationId } }: Input<typeof routes.list>,
  { subscriptions, clock }: ReturnType<typeof listDeps>,
): Promise<Output<typeof routes.list>> {
  const filter = filterOf(query);
  const nowMs = clock.nowMs();
  const listing: Listing<Subscription, SubscriptionResponse> = {
    scope: ['subscriptions', applicationId, ...Object.entries(filter).flat()],
    read: async (range) => {
      if ('externalId' in filter) return subscriptions.listPage(applicationId, filter.externalId, range);
      const subscription = await subscriptions.getByReference(applicationId, filter.referenceNumber);
      return { items: subscription === undefined ? [] : [subscription], hasMore: false };
    },
    idOf: ({ subscriptionId }) => subscriptionId,
    isId: isSubscriptionId,
    toResponse: (subscription) => toSubscriptionResponse(subscription, nowMs),
  };
  const { items, ...rest } = await pageOf(listing, query);
  return { subscriptions: items, ...rest };
}

/**
 * @throws ApiError `invalid_request` unless exactly one filter is given; when the reference number is
 * mistyped.
 */
function filterOf({
  externalId,
  referenceNumber,
}: Input<typeof routes.list>['query']): { externalId: string } | { referenceNumber: string } {
  if (externalId !== undefined && referenceNumber === undefined) return { externalId };
  if (referenceNumber === undefined || externalId !== undefined) {
    const problem = 'exactly one of externalId and referenceNumber must be given';
    throw new ApiError('invalid_request', { details: { externalId: problem, referenceNumber: problem } });
  }
  const canonical = parseReference(referenceNumber);
  if (canonical === undefined) {
    const problem = 'is mistyped: its check character does not fit, or it is not SUB- and eight characters';
    throw new ApiError('invalid_request', { details: { referenceNumber: problem } });
  }
  return { referenceNumber: canonical };
}

export const handler = endpoint(routes.list, listSubscriptions, listDeps, apiKeyCaller);
