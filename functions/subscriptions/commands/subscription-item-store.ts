import { defined } from '../../shared/contract/defined.ts';
import * as keys from '../../shared/contract/keys.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import type { Item } from '../../shared/table/table.ts';
import { emptyLists, runningStatuses, type Subscription } from '../record/subscription.ts';
import { subscriptionListing } from '../record/subscription-listing.ts';

/** The condition that a subscription is in an allowed state, at the revision that was read. */
export function inStateAtRevision(states: readonly string[], { revision }: Subscription) {
  const names = states.map((_, i) => `:state${i}`);
  return {
    ConditionExpression: `#revision = :revision AND #status IN (${names.join(', ')})`,
    ExpressionAttributeNames: { '#revision': 'revision', '#status': 'status' },
    ExpressionAttributeValues: {
      ':revision': revision,
      ...Object.fromEntries(states.map((state, i) => [`:state${i}`, state])),
    },
  };
}

/**
 * Sorts the subscriptions of a client by status: the last is the running one, else the newest. A pending one is always
 * the newest, even when its id sorts lower: ids contain the time of a function's clock, and clocks differ.
 */
function statusPosition({ status, subscriptionId }: Subscription): string {
  if (runningStatuses.includes(status)) return `2#${subscriptionId}`;
  return status === 'pending' ? `1#${subscriptionId}` : `0#${subscriptionId}`;
}

/** An empty list is absent from its item: it would only cost units. */
const withoutEmptyLists = (subscription: Subscription) =>
  Object.fromEntries(
    Object.entries(subscription).filter(([name, value]) => !(name in emptyLists && isEmpty(value))),
  );

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;

export function itemOf(subscription: Subscription): Item {
  const { applicationId, externalId, subscriptionId, timer } = subscription;
  return {
    ...keys.subscription(applicationId, externalId, subscriptionId),
    ...withoutEmptyLists(subscription),
    statusPosition: statusPosition(subscription),
    ...subscriptionListing(subscription),
    ...defined({
      due: timer && keys.timerPartition(keys.dueShard(subscriptionId)),
      dueAt: timer && isoTime(timer.dueAtMs),
    }),
  };
}
