import type { Clock } from '../../shared/runtime/clock.ts';
import { whenSettled } from '../../shared/runtime/when-settled.ts';
import type { webhookStore } from '../endpoints/store.ts';
import { takesType, type Webhook } from '../endpoints/webhook.ts';
import { haveExpired, type KeptEvents } from '../events/event.ts';
import { eventId } from '../events/event-id.ts';
import type { eventListStore } from '../events/list-store.ts';
import type { eventStore } from '../events/store.ts';
import { batchSize, type Delivery, newDelivery } from './delivery.ts';
import type { startFirstAttempts } from './executions.ts';
import type { deliveryStore } from './store.ts';

/** What handing events on depends on. */
export interface HandOnDeps {
  events: Pick<typeof eventStore, 'get'>;
  eventLists: Pick<typeof eventListStore, 'append'>;
  webhooks: Pick<typeof webhookStore, 'listOf'>;
  deliveries: Pick<typeof deliveryStore, 'create'>;
  startFirstAttempts: typeof startFirstAttempts;
  clock: Clock;
}

/** A group of events that was not handed on, and why. */
export interface FailedGroup {
  groupId: string;
  cause: unknown;
}

/** Concurrent writes of one application. */
const concurrency = 25;

/**
 * Hands groups of events on: stores their deliveries, lists them, and starts the first attempts, in this order. Each step
 * changes nothing when it is repeated, so a run that ends at any point is made good by the next one. After the list, a
 * group is no longer due; its deliveries are, until they are finished.
 *
 * Applications are independent: the failure of one fails its groups alone.
 *
 * @returns the groups that failed.
 */
export async function handOn(groupIds: readonly string[], deps: HandOnDeps): Promise<FailedGroup[]> {
  const groups = await deps.events.get(groupIds);
  const kept = groups.filter((group) => !haveExpired(group, deps.clock.nowMs()));
  const byApplication = Map.groupBy(kept, ({ applicationId }) => applicationId);
  const failures = [...byApplication].map(async ([applicationId, own]) => {
    try {
      await handOnOf(applicationId, own, deps);
      return [];
    } catch (cause) {
      return own.map(({ groupId }) => ({ groupId, cause }));
    }
  });
  return (await Promise.all(failures)).flat();
}

async function handOnOf(
  applicationId: string,
  groups: readonly KeptEvents[],
  deps: HandOnDeps,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const webhooks = (await deps.webhooks.listOf(applicationId)).filter(({ isActive }) => isActive);
  const wanted = webhooks.map((webhook) => groups.flatMap((group) => deliveriesOf(group, webhook, nowMs)));
  for (const some of chunks(wanted.flat(), concurrency))
    await whenSettled(some.map((delivery) => deps.deliveries.create(delivery, nowMs)));
  await deps.eventLists.append(applicationId, groups, nowMs);
  const batches = wanted.flatMap((deliveries) => chunks(deliveries, batchSize));
  await whenSettled(
    batches.map((batch) =>
      deps.startFirstAttempts({
        applicationId,
        webhookId: batch[0]?.webhookId ?? '',
        eventIds: batch.map((delivery) => delivery.eventId),
      }),
    ),
  );
}

/** The deliveries of a group's events to a webhook, if it takes their types. */
function deliveriesOf(group: KeptEvents, { webhookId, types }: Webhook, nowMs: number): Delivery[] {
  const { applicationId, createdAtMs, groupId } = group;
  const isMeant = group.webhookId === webhookId;
  if (group.webhookId !== undefined && !isMeant) return [];
  return group.events.flatMap(({ type }, position) => {
    const ids = { applicationId, webhookId, eventId: eventId(groupId, position), type };
    return isMeant || takesType(types, type) ? [newDelivery(ids, { createdAtMs, nowMs })] : [];
  });
}

function chunks<T>(list: readonly T[], size: number): T[][] {
  const starts = Array.from({ length: Math.ceil(list.length / size) }, (_, i) => i * size);
  return starts.map((start) => list.slice(start, start + size));
}
