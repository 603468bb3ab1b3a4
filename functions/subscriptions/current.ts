import { apiKeyCaller } from '../shared/bearer.ts';
import { nowMs } from '../shared/clock.ts';
import type { Input, Output } from '../shared/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { ApiError } from '../shared/errors.ts';
import { readingStore } from './reading-store.ts';
import { routes } from './routes.ts';
import { shownSubscription } from './shown.ts';

const currentDeps = () => ({ subscriptions: readingStore, nowMs });

/** A client's running subscription, else his newest one, with what he may use at this moment. */
export async function readCurrent(
  { query, caller }: Input<typeof routes.current>,
  { subscriptions, nowMs }: ReturnType<typeof currentDeps>,
): Promise<Output<typeof routes.current>> {
  const atMs = nowMs();
  const found = await subscriptions.current(caller.applicationId, query.externalId, atMs);
  if (found === undefined) throw new ApiError('not_found');
  return { subscription: shownSubscription(found, atMs) };
}

export const handler = endpoint(routes.current, readCurrent, currentDeps, apiKeyCaller);
