import { outboxStore } from '../../../functions/notices/outbox/store.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { dueShards, type Key } from '../../../functions/shared/contract/keys.ts';
import { dayMs } from '../../../functions/shared/runtime/clock.ts';
import { deliveryStore } from '../../../functions/webhooks/deliveries/store.ts';

/**
 * The outbox entries of a table that it has not returned before, as its stream names them.
 *
 * @param known the entries that were returned before, to which the new ones are added.
 */
export async function newOutboxEntries(known: Set<string>): Promise<Key[]> {
  const fresh: Key[] = [];
  for (let shard = 0; shard < dueShards; shard += 1) {
    for await (const page of outboxStore.duePages(shard, Date.now() + dayMs)) {
      for (const { subscriptionId, entryId } of page) {
        const key = keys.outbox(subscriptionId, entryId);
        const text = `${key.pk} ${key.sk}`;
        if (!known.has(text)) fresh.push(key);
        known.add(text);
      }
    }
  }
  return fresh;
}

/** As {@link newOutboxEntries}: the groups of events. */
export async function newEventGroups(known: Set<string>): Promise<Key[]> {
  const fresh: Key[] = [];
  for (let shard = 0; shard < dueShards; shard += 1) {
    for await (const page of deliveryStore.overdueEvents(shard, Date.now() + dayMs)) {
      const groups = page.filter(({ groupId }) => !known.has(groupId));
      for (const { groupId } of groups) known.add(groupId);
      fresh.push(...groups.map(({ groupId }) => keys.events(groupId)));
    }
  }
  return fresh;
}
