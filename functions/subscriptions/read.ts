import { apiKeyCaller } from '../shared/bearer.ts';
import { nowMs } from '../shared/clock.ts';
import type { Input, Output } from '../shared/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { ApiError } from '../shared/errors.ts';
import { readingStore } from './reading-store.ts';
import { routes } from './routes.ts';
import { shownHappening, shownInvoice, shownSubscription } from './shown.ts';

/** An answer of a function holds 6 MB; of a very long timeline the latest entries are shown. */
const shownHappenings = 2_000;

const readDeps = () => ({ subscriptions: readingStore, nowMs });

/**
 * A subscription with its invoices and its timeline. These are read first: whatever they tell, the subscription that
 * is read after them has it too.
 */
export async function readSubscription(
  { params, caller }: Input<typeof routes.read>,
  { subscriptions, nowMs }: ReturnType<typeof readDeps>,
): Promise<Output<typeof routes.read>> {
  const details = await subscriptions.details(params.id);
  const subscription = await subscriptions.owned(caller.applicationId, details?.owner);
  if (details === undefined || subscription === undefined) throw new ApiError('not_found');
  return {
    subscription: {
      ...shownSubscription(subscription, nowMs()),
      invoices: details.invoices.map(shownInvoice),
      timeline: details.timeline.slice(-shownHappenings).map(shownHappening),
    },
  };
}

export const handler = endpoint(routes.read, readSubscription, readDeps, apiKeyCaller);
