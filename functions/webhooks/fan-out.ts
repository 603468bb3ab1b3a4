import type { Key } from '../shared/contract/keys.ts';
import { consumer, type FailedItem } from '../shared/lambda/stream.ts';
import { clock, elapsedMs } from '../shared/runtime/clock.ts';
import { type DispatchDeps, dispatch } from './deliveries/dispatch.ts';
import { startFirstAttempts } from './deliveries/executions.ts';
import { deliveryStore } from './deliveries/store.ts';
import { webhookStore } from './endpoints/store.ts';
import { eventListStore } from './events/list-store.ts';
import { eventStore } from './events/store.ts';
import { timers } from './timers.ts';

const fanOutDeps = (): DispatchDeps => ({
  events: eventStore,
  eventLists: eventListStore,
  webhooks: webhookStore,
  deliveries: deliveryStore,
  startFirstAttempts,
  clock,
  elapsedMs,
});

/** Dispatches the events that the stream of the table tells of. A record without a group, because it has expired, is done. */
export async function fanOut(records: readonly Key[], deps: DispatchDeps): Promise<FailedItem[]> {
  const byGroup = new Map(records.map((key) => [key.pk.slice(key.pk.lastIndexOf('#') + 1), key]));
  const failures = await dispatch([...byGroup.keys()], deps);
  return failures.flatMap(({ groupId, cause }) => {
    const key = byGroup.get(groupId);
    return key === undefined ? [] : [{ key, cause }];
  });
}

export const handler = consumer(timers['fan-out'], fanOut, fanOutDeps);
