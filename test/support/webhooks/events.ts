import { defined } from '../../../functions/shared/contract/defined.ts';
import type { Audience } from '../../../functions/shared/contract/events.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { dueShards } from '../../../functions/shared/contract/keys.ts';
import { eventWrites } from '../../../functions/shared/events/events-write.ts';
import { queryUpTo } from '../../../functions/shared/table/query.ts';
import { transactWrite } from '../../../functions/shared/table/table.ts';
import type { KeptEvents } from '../../../functions/webhooks/events/event.ts';
import { eventId } from '../../../functions/webhooks/events/event-id.ts';
import { eventListStore } from '../../../functions/webhooks/events/list-store.ts';
import { eventStore } from '../../../functions/webhooks/events/store.ts';
import { openApiDocument } from '../../../lib/openapi/openapi.ts';
import { eventsOf } from '../../../lib/reference/events-page.ts';

interface RecordOptions {
  nowMs?: number;
  data?: object;
  audience?: Audience;
}

const examples = new Map(eventsOf(openApiDocument({ version: '' })));

/** The data of the documented example of a type, with the present time in place of all of its times. */
export function exampleData(type: string): object {
  const { data } = Object.assign({ data: {} }, examples.get(type)?.value);
  const now = JSON.stringify(new Date());
  return JSON.parse(JSON.stringify(data).replaceAll(/"\d{4}-\d\d-\d\dT[^"]+"/g, now));
}

/** The events of one change of an application, which are not listed yet. */
export async function recordEvents(
  applicationId: string,
  types: readonly string[],
  { nowMs = Date.now(), data = {}, audience }: RecordOptions = {},
): Promise<KeptEvents> {
  const events = types.map((type, i) => ({ type, sequence: i + 1, data: { ...exampleData(type), ...data } }));
  const writes = eventWrites({ applicationId, nowMs, ...defined({ audience }) }, events);
  await transactWrite(writes);
  const groupId = String(writes[0]?.Put.Item.groupId);
  const [group] = await eventStore.get([groupId]);
  if (group === undefined) throw new Error('The events were not written');
  return group;
}

/** The groups of an application that were not dispatched. */
export async function undispatched(applicationId: string): Promise<KeptEvents[]> {
  const partitions = Array.from({ length: dueShards }, (_, shard) => keys.eventsDuePartition(shard));
  const pages = await Promise.all(
    partitions.map((partition) => queryUpTo({ partition, index: 'due' }, 100_000)),
  );
  const own = pages.flat().filter((item) => item.applicationId === applicationId);
  return eventStore.get(own.map(({ pk }) => pk.slice(pk.lastIndexOf('#') + 1)));
}

/** Records and lists groups of events, in this order. @returns the ids of their events. */
export async function listedEvents(
  applicationId: string,
  groups: readonly (readonly string[])[],
  options: RecordOptions = {},
): Promise<string[]> {
  const recorded = await Promise.all(groups.map((types) => recordEvents(applicationId, types, options)));
  await eventListStore.append(applicationId, recorded, options.nowMs ?? Date.now());
  return recorded.flatMap(({ groupId, events }) => events.map((_, position) => eventId(groupId, position)));
}
