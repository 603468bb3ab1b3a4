import { clientStore } from '../clients/store.ts';
import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { accessWithCredit } from './commands/access-with-credit.ts';
import { subscriptionQueries } from './commands/subscription-queries.ts';
import { currentRoute } from './contracts/subscriptions.ts';
import { toSubscriptionResponse } from './present/subscription.ts';
import { hasLapsed } from './record/access.ts';
import type { Subscription } from './record/subscription.ts';

/**
 * Reads a client's running subscription, else the newest one, with the current level of access. A subscription that has
 * ended by its dates is not running, even if no step has recorded the end yet. The client's credit can carry it on.
 */
export const readCurrent: Handler<typeof currentRoute> = async ({
  query: { externalId },
  caller: { applicationId },
}) => {
  const nowMs = clock.nowMs();
  const [first, second] = await subscriptionQueries.getLatest(applicationId, externalId);
  if (first === undefined) throw new ApiError('not_found');
  const shown = async (subscription: Subscription) => {
    const access = await accessWithCredit(subscription, nowMs, { clients: clientStore });
    return { subscription: toSubscriptionResponse(subscription, nowMs, access) };
  };
  const firstShown = await shown(first);
  const isReplaced = second !== undefined && second.subscriptionId > first.subscriptionId;
  const hasEnded = hasLapsed(first, nowMs) && firstShown.subscription.access === 'none';
  return isReplaced && hasEnded ? shown(second) : firstShown;
};

export const handler = endpoint(currentRoute, readCurrent, apiKeyCaller);
