import { chunks } from '../../shared/runtime/chunks.ts';
import { clock, elapsedMs, secondMs } from '../../shared/runtime/clock.ts';
import { webhookStore } from '../endpoints/store.ts';
import type { Webhook } from '../endpoints/webhook.ts';
import { haveExpired, type KeptEvents } from '../events/event.ts';
import { eventId } from '../events/event-id.ts';
import { isFor, takesType } from '../events/event-types.ts';
import { eventListStore } from '../events/list-store.ts';
import { eventStore } from '../events/store.ts';
import { batchSize, type Delivery, newDelivery } from './delivery.ts';
import { startFirstAttempts } from './executions.ts';
import { deliveryStore } from './store.ts';

/** A group of events that was not dispatched, and why. */
export interface FailedGroup {
  groupId: string;
  cause: unknown;
}

/** Groups that are read and stored together: as many as one read of the table takes, of up to 400 KB each. */
const groupsAtOnce = 100;

/** Concurrent calls of a run, whatever the number of applications and deliveries. */
const concurrency = 50;

/** A run begins no further groups after this time: it starts what it has stored before the function times out. */
const storingTimeMs = 30 * secondMs;

interface Share {
  readonly applicationId: string;
  readonly groupIds: string[];
  readonly eventIds: Map<string, string[]>;
  /** Why it has failed. Nothing more is done for it then. */
  failure?: { cause: unknown };
}

const newShare = (applicationId: string): Share => ({ applicationId, groupIds: [], eventIds: new Map() });

/**
 * Dispatches groups of events: stores their deliveries, lists them, and starts the first attempts, in this order. Each step
 * changes nothing when it is repeated, so a run that ends at any point is made good by the next one. After the list, a
 * group is no longer due; its deliveries are, until they are finished.
 *
 * Groups are stored some at a time, so that any number fits in memory. Attempts are started at the end, so that the
 * deliveries to one webhook fill their batches: an endpoint that hangs then holds few functions.
 *
 * Applications are independent: the failure of one fails its groups alone. What the run has no time for is returned as
 * failed, so that the stream hands it over again.
 *
 * @returns the groups that failed.
 */
export async function dispatch(groupIds: readonly string[]): Promise<FailedGroup[]> {
  const endMs = elapsedMs() + storingTimeMs;
  const shares = new Map<string, Share>();
  const failed: FailedGroup[] = [];
  for (const [n, some] of chunks(groupIds, groupsAtOnce).entries()) {
    try {
      // Each run makes progress: it stores the first groups at any time.
      if (n > 0 && elapsedMs() >= endMs) throw new Error('The time of the run was up');
      await storeSome(some, shares);
    } catch (cause) {
      failed.push(...some.map((groupId) => ({ groupId, cause })));
    }
  }
  await startAttempts([...shares.values()]);
  for (const { groupIds, failure } of shares.values()) {
    if (failure !== undefined) failed.push(...groupIds.map((groupId) => ({ groupId, cause: failure.cause })));
  }
  return failed;
}

/** Stores the deliveries of groups, and lists the groups. @throws the error of the table when no group could be read. */
async function storeSome(groupIds: readonly string[], shares: Map<string, Share>): Promise<void> {
  const nowMs = clock.nowMs();
  const groups = await eventStore.get(groupIds);
  const kept = groups.filter((group) => !haveExpired(group, nowMs));
  const parts = [...Map.groupBy(kept, ({ applicationId }) => applicationId)].map(([applicationId, own]) => {
    const share = shares.get(applicationId) ?? newShare(applicationId);
    shares.set(applicationId, share);
    share.groupIds.push(...own.map(({ groupId }) => groupId));
    const deliveries: Delivery[] = [];
    return { share, own, deliveries };
  });
  await forEach(parts, async (part) => {
    const { share, own } = part;
    const webhooks = await webhookStore.listOf(share.applicationId);
    const active = webhooks.filter(({ isActive }) => isActive);
    part.deliveries = active.flatMap((webhook) =>
      own.flatMap((group) => deliveriesOf(group, webhook, nowMs)),
    );
  });
  const wanted = parts.flatMap(({ share, deliveries }) =>
    deliveries.map((delivery) => ({ share, delivery })),
  );
  await forEach(wanted, async ({ share, delivery }) => {
    await deliveryStore.create(delivery, nowMs);
    const { webhookId, eventId } = delivery;
    const stored = share.eventIds.get(webhookId) ?? [];
    share.eventIds.set(webhookId, stored);
    stored.push(eventId);
  });
  await forEach(parts, ({ share, own }) => eventListStore.append(share.applicationId, own, nowMs));
}

/** Starts the first attempts of the deliveries that are stored, full batches of each webhook. */
async function startAttempts(shares: readonly Share[]): Promise<void> {
  const batches = shares.flatMap((share) =>
    [...share.eventIds].flatMap(([webhookId, all]) =>
      // In the order of the ids, so that a second run of the same groups makes the same batches.
      chunks(all.toSorted(), batchSize).map((eventIds) => ({ share, webhookId, eventIds })),
    ),
  );
  await forEach(batches, ({ share: { applicationId }, webhookId, eventIds }) =>
    startFirstAttempts({ applicationId, webhookId, eventIds }),
  );
}

/** Works for shares, a bounded number at once. A failure ends the work for its share alone, and is noted in it. */
async function forEach<T extends { share: Share }>(
  list: readonly T[],
  work: (one: T) => Promise<void>,
): Promise<void> {
  const rest = list.values();
  const worker = async () => {
    for (const one of rest) {
      if (one.share.failure !== undefined) continue;
      try {
        await work(one);
      } catch (cause) {
        one.share.failure = { cause };
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** The deliveries of a group's events to a webhook, if they are for its kind of key and it takes their types. */
function deliveriesOf(group: KeptEvents, { webhookId, keyKind, types }: Webhook, nowMs: number): Delivery[] {
  const { applicationId, createdAtMs, groupId, audience } = group;
  const isMeant = audience?.webhookId === webhookId;
  if (audience?.webhookId !== undefined && !isMeant) return [];
  return group.events.flatMap(({ type }, position) => {
    const ids = { applicationId, webhookId, eventId: eventId(groupId, position), type };
    return isFor(keyKind, type, group) && (isMeant || takesType(types, type))
      ? [newDelivery(ids, { createdAtMs, nowMs })]
      : [];
  });
}
