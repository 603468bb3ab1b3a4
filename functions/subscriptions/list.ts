import { apiKeyCaller } from '../shared/bearer.ts';
import { nowMs } from '../shared/clock.ts';
import type { Input, Output } from '../shared/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { ApiError } from '../shared/errors.ts';
import { type Listing, pageOf } from './listing.ts';
import { isSubscriptionId, readingStore } from './reading-store.ts';
import { readReference } from './reference.ts';
import { routes } from './routes.ts';
import { shownSubscription } from './shown.ts';
import type { Subscription } from './subscription.ts';

const listDeps = () => ({ subscriptions: readingStore, nowMs });
type Shown = ReturnType<typeof shownSubscription>;

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
      if ('externalId' in by) return subscriptions.page(applicationId, by.externalId, from);
      const found = await subscriptions.byReference(applicationId, by.referenceNumber);
      return { items: found === undefined ? [] : [found], more: false };
    },
    idOf: ({ subscriptionId }) => subscriptionId,
    isId: isSubscriptionId,
    shown: (subscription) => shownSubscription(subscription, atMs),
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
  const read = readReference(referenceNumber);
  if (read === undefined) {
    const problem = 'is mistyped: its check character does not fit, or it is not SUB- and eight characters';
    throw new ApiError('invalid_request', { details: { referenceNumber: problem } });
  }
  return { referenceNumber: read };
}

export const handler = endpoint(routes.list, listSubscriptions, listDeps, apiKeyCaller);
