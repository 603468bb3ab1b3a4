import type { ApplicationCaller } from '../../shared/contract/callers.ts';
import * as keys from '../../shared/contract/keys.ts';
import { chunks } from '../../shared/runtime/chunks.ts';
import { queryUpTo } from '../../shared/table/query.ts';
import { recordReader } from '../../shared/table/record.ts';
import { batchGetItems } from '../../shared/table/table.ts';
import { haveExpired, type KeptEvents } from './event.ts';
import { parseEventId } from './event-id.ts';
import { isFor } from './event-types.ts';

/** The most items of one read: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
const maxBatch = 100;

const readKeptEvents = recordReader<KeptEvents>(['groupId', 'events']);

export const eventStore = {
  /**
   * Groups of events by id, in the order of the ids and each once, with strong consistency. Groups that do not exist are left
   * out. Groups that have expired are not: see `haveExpired`.
   */
  async get(groupIds: readonly string[]): Promise<KeptEvents[]> {
    const distinct = [...new Set(groupIds)];
    const found = new Map<string, KeptEvents>();
    for (const some of chunks(distinct, maxBatch)) {
      const items = await batchGetItems(some.map(keys.events));
      for (const group of items.map(readKeptEvents)) found.set(group.groupId, group);
    }
    return distinct.flatMap((groupId) => found.get(groupId) ?? []);
  },

  /**
   * The latest groups of events of changes of a subscription, latest first: up to `limit`. They are listed moments after they
   * were written. Groups that have expired are left out.
   */
  async ofSubscription(subscriptionId: string, limit: number, nowMs: number): Promise<KeptEvents[]> {
    const partition = keys.subscriptionEventsPartition(subscriptionId);
    const found = await queryUpTo({ partition, index: 'listed', descending: true }, limit);
    const groups = await this.get(found.map(({ pk }) => pk.slice('EVENT#'.length)));
    return groups.filter((group) => !haveExpired(group, nowMs));
  },

  /**
   * The group and the position of an event that the caller sees; undefined alike when the event is unknown, another
   * application's, for the other kind of key, or has expired.
   */
  async find(
    { applicationId, by }: ApplicationCaller,
    eventId: string,
    nowMs: number,
  ): Promise<{ group: KeptEvents; position: number } | undefined> {
    const parsed = parseEventId(eventId);
    if (parsed === undefined) return undefined;
    const [group] = await this.get([parsed.groupId]);
    if (group === undefined || group.applicationId !== applicationId || haveExpired(group, nowMs))
      return undefined;
    const { position } = parsed;
    const type = group.events[position]?.type;
    return type !== undefined && isFor(by, type, group) ? { group, position } : undefined;
  },
};
