import { registeredEvents } from '../../functions/events.ts';
import { dueShards, type Key, keys } from '../../functions/shared/contract/keys.ts';
import type { StoredEvents } from '../../functions/shared/events/events-write.ts';
import { batchGetItems, queryPage } from '../../functions/shared/table/table.ts';

/** An event as its transaction stored it. */
export interface WrittenEvent {
  type: string;
  sequence: number;
  createdAtMs: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the data
  data: any;
}

const schemas = new Map(registeredEvents().map(({ type, definition }) => [type, definition.data]));

/**
 * The events of an application that were not handed on yet, the oldest first, and of one moment in their sequence.
 *
 * @throws Error for an event whose type is not registered, or whose data does not match the schema of the type.
 */
export async function eventsOf(applicationId: string): Promise<WrittenEvent[]> {
  const groups = await Promise.all(
    Array.from({ length: dueShards }, (_, shard) => groupsIn(shard, applicationId)),
  );
  const written = groups
    .flat()
    .flatMap(({ createdAtMs, events }) =>
      events.map(({ type, sequence, data }) => ({ type, sequence, createdAtMs, data: JSON.parse(data) })),
    );
  for (const { type, data } of written) {
    const schema = schemas.get(type);
    if (schema === undefined) throw new Error(`${type} is not registered`);
    // A schema leaves out what it does not declare.
    if (JSON.stringify(schema.parse(data)) !== JSON.stringify(data))
      throw new Error(`${type} has other data`);
  }
  return written.sort((a, b) => a.createdAtMs - b.createdAtMs || a.sequence - b.sequence);
}

async function groupsIn(shard: number, applicationId: string): Promise<StoredEvents[]> {
  const found: Key[] = [];
  let startAfter: Awaited<ReturnType<typeof queryPage>>['lastKey'];
  do {
    const partition = keys.eventsDuePartition(shard);
    const { items, lastKey } = await queryPage({ partition, index: 'due', startAfter });
    found.push(...items.filter((item) => item.applicationId === applicationId));
    startAfter = lastKey;
  } while (startAfter !== undefined);
  return (await batchGetItems(found)) as unknown as StoredEvents[];
}
