import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { toSubscriptionResponse } from './api/present.ts';
import { subscriptionQueries } from './engine/subscription-queries.ts';
import { routes } from './routes.ts';

const currentDeps = () => ({ subscriptions: subscriptionQueries, nowMs });

/** A client's running subscription, else his newest one, with what he may use at this moment. */
export async function readCurrent(
  { query, caller }: Input<typeof routes.current>,
  { subscriptions, nowMs }: ReturnType<typeof currentDeps>,
): Promise<Output<typeof routes.current>> {
  const atMs = nowMs();
  const found = await subscriptions.getCurrent(caller.applicationId, query.externalId, atMs);
  if (found === undefined) throw new ApiError('not_found');
  return { subscription: toSubscriptionResponse(found, atMs) };
}

export const handler = endpoint(routes.current, readCurrent, currentDeps, apiKeyCaller);
