import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { toSubscriptionResponse } from './api/present.ts';
import { clientStore } from './clients/store.ts';
import { accessWithCredit } from './engine/access-with-credit.ts';
import { subscriptionQueries } from './engine/subscription-queries.ts';
import { routes } from './routes.ts';

const currentDeps = () => ({ subscriptions: subscriptionQueries, clients: clientStore, clock });

/** Reads a client's running subscription, else the newest one, with the current level of access. */
export async function readCurrent(
  { query, caller }: Input<typeof routes.current>,
  { subscriptions, clients, clock }: ReturnType<typeof currentDeps>,
): Promise<Output<typeof routes.current>> {
  const nowMs = clock.nowMs();
  const subscription = await subscriptions.getCurrent(caller.applicationId, query.externalId, nowMs);
  if (subscription === undefined) throw new ApiError('not_found');
  const access = await accessWithCredit(subscription, nowMs, { clients });
  return { subscription: toSubscriptionResponse(subscription, nowMs, access) };
}

export const handler = endpoint(routes.current, readCurrent, currentDeps, apiKeyCaller);
