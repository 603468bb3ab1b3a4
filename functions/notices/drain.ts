import * as keys from '../shared/contract/keys.ts';
import { scheduled } from '../shared/lambda/scheduled.ts';
import { drainMail } from '../shared/mail/drain.ts';
import * as env from '../shared/runtime/env.ts';
import { attemptDeliveryAt, type DeliveryDeps, deliveryDeps } from './outbox/attempt.ts';
import type { DueEntry } from './outbox/store.ts';
import { timers } from './timers.ts';

/**
 * Delivers the outbox entries that are due: those that the stream of the table has lost, those of a process that died, and
 * those that could not be delivered before. Concurrent runs lease entries, so that none is delivered by both.
 */
export async function drainOutboxes(deps: DeliveryDeps = deliveryDeps()) {
  const { outbox, clock } = deps;
  const nowMs = clock.nowMs();
  const shards = Array.from({ length: outbox.shards }, (_, shard) => [
    outbox.duePages(shard, nowMs),
    outbox.heldPages(shard, nowMs),
  ]).flat();
  const attempt = ({ subscriptionId, entryId }: DueEntry) =>
    attemptDeliveryAt(keys.outbox(subscriptionId, entryId), deps);
  return drainMail({ shards, attempt, mailsPerSecond: env.mailsPerSecond(), clock });
}

export const handler = scheduled(timers.drain, drainOutboxes);
