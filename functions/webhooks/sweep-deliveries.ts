import { scheduled } from '../shared/lambda/scheduled.ts';
import { chunks } from '../shared/runtime/chunks.ts';
import { clock } from '../shared/runtime/clock.ts';
import { whenSettled } from '../shared/runtime/when-settled.ts';
import { batchSize } from './deliveries/delivery.ts';
import { dispatch } from './deliveries/dispatch.ts';
import { newExecutionName, startLaterAttempts } from './deliveries/executions.ts';
import { type DueDelivery, deliveryStore } from './deliveries/store.ts';
import { timers } from './timers.ts';

/** The most pages of 100 that a run takes of each kind and shard. The next run takes up what it leaves. */
const maxPages = 50;

/**
 * Dispatches the events that the stream lost, and puts new executions in charge of deliveries whose execution was lost. What
 * fails stays due, and does not keep the run from what follows it.
 */
export async function sweepDeliveries() {
  const counts = { events: 0, deliveries: 0, failed: 0 };
  const causes: unknown[] = [];
  const nowMs = clock.nowMs();
  const note = (done: 'events' | 'deliveries', many: number, failures: readonly unknown[]) => {
    counts[done] += many - failures.length;
    counts.failed += failures.length;
    causes.push(...failures);
  };
  const shards = Array.from({ length: deliveryStore.shards }, async (_, shard) => {
    let pages = 0;
    for await (const page of deliveryStore.overdueEvents(shard, nowMs)) {
      const failures = await dispatch(page.map(({ groupId }) => groupId));
      note(
        'events',
        page.length,
        failures.map(({ cause }) => cause),
      );
      pages += 1;
      if (pages === maxPages) break;
    }
    pages = 0;
    for await (const page of deliveryStore.overdue(shard, nowMs)) {
      for (const batch of batchesOf(page)) {
        try {
          note('deliveries', await takeOver(batch, nowMs), []);
        } catch (error) {
          note(
            'deliveries',
            batch.length,
            batch.map(() => error),
          );
        }
      }
      pages += 1;
      if (pages === maxPages) break;
    }
  });
  await whenSettled(shards);
  return { counts, cause: causes[0] };
}

function batchesOf(page: readonly DueDelivery[]): DueDelivery[][] {
  return [...Map.groupBy(page, ({ webhookId }) => webhookId).values()].flatMap((own) =>
    chunks(own, batchSize),
  );
}

/** Puts a new execution in charge of a batch. @returns the number of deliveries that it is in charge of. */
async function takeOver(batch: readonly DueDelivery[], nowMs: number): Promise<number> {
  const [first] = batch;
  if (first === undefined) return 0;
  const { applicationId, webhookId } = first;
  const executionName = newExecutionName(webhookId, nowMs);
  const claims = await whenSettled(
    batch.map(async (delivery) =>
      (await deliveryStore.claim(delivery, { executionName, nowMs })) ? [delivery] : [],
    ),
  );
  const eventIds = claims.flat().map(({ eventId }) => eventId);
  if (eventIds.length > 0)
    await startLaterAttempts({ applicationId, webhookId, eventIds }, { executionName, dueAtMs: nowMs });
  return eventIds.length;
}

export const handler = scheduled(timers['sweep-deliveries'], sweepDeliveries);
