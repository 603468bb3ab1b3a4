import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { type Listing, pageOf } from './api/pagination.ts';
import { toSubscriptionResponse } from './api/present.ts';
import { isSubscriptionId, subscriptionQueries } from './engine/subscription-queries.ts';
import { parseReference } from './lifecycle/reference-number.ts';
import type { Subscription } from './lifecycle/subscription.ts';
import { routes } from './routes.ts';

const listDeps = () => ({ subscriptions: subscriptionQueries, nowMs });
type Shown = ReturnType<typeof toSubscriptionResponse>;

/** Lists all subscriptions of a client, newest first; or the one of a reference number, which may be none. */
export async function listSubscriptions(
  { query, caller: { applicationId } }: Input<typeof routes.list>,
  { subscriptions, nowMs }: ReturnType<typeof listDeps>,
): Promise<Output<typeof routes.list>> {
  const by = askedBy(query);
  const atMs = nowMs();
  const listing: Listing<Subscription, Shown> = {
    scope: ['subscriptions', applicationId, ...Object.entries(by).flat()],
    read: async (from) => {
      if ('externalId' in by) return subscriptions.listPage(applicationId, by.externalId, from);
      const found = await subscriptions.getByReference(applicationId, by.referenceNumber);
      return { items: found === undefined ? [] : [found], more: false };
    },
    idOf: ({ subscriptionId }) => subscriptionId,
    isId: isSubscriptionId,
    shown: (subscription) => toSubscriptionResponse(subscription, atMs),
  };
  const { shown, ...rest } = await pageOf(listing, query);
  return { subscriptions: shown, ...rest };
}

/** @throws ApiError `invalid_request` unless one of the two is given, and a reference number is well typed. */
function askedBy({
  externalId,
  referenceNumber,
}: Input<typeof routes.list>['query']): { externalId: string } | { referenceNumber: string } {
  if (externalId !== undefined && referenceNumber === undefined) return { externalId };
  if (referenceNumber === undefined || externalId !== undefined) {
    const problem = 'exactly one of externalId and referenceNumber must be given';
    throw new ApiError('invalid_request', { details: { externalId: problem, referenceNumber: problem } });
  }
  const read = parseReference(referenceNumber);
  if (read === undefined) {
    const problem = 'is mistyped: its check character does not fit, or it is not SUB- and eight characters';
    throw new ApiError('invalid_request', { details: { referenceNumber: problem } });
  }
  return { referenceNumber: read };
}

export const handler = endpoint(routes.list, listSubscriptions, listDeps, apiKeyCaller);
