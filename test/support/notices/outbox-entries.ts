import { randomUUID } from 'node:crypto';
import { outboxStore } from '../../../functions/notices/outbox/store.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { dueShard } from '../../../functions/shared/contract/keys.ts';
import { isoTime, minuteMs } from '../../../functions/shared/runtime/clock.ts';
import type { OutboxEntry } from '../../../functions/subscriptions/record/outbox-entry.ts';
import { putItem } from '../call.ts';

/** The id of a subscription whose entries are in a shard. */
export function subscriptionInShard(shard: number): string {
  for (;;) {
    const subscriptionId = `sub_${randomUUID()}`;
    if (dueShard(subscriptionId) === shard) return subscriptionId;
  }
}

/** Stores a mail that was caused now. Its invoice is gone: it is finished like all others, and nothing is sent. */
export async function putEntry(
  nowMs: number,
  { subscriptionId = `sub_${randomUUID()}`, dueAtMs = nowMs + minuteMs } = {},
): Promise<OutboxEntry> {
  const key = keys.outbox(subscriptionId, 'invoice#1');
  await putItem({
    ...key,
    entryId: 'invoice#1',
    applicationId: `app_${randomUUID()}`,
    externalId: 'none',
    subscriptionId,
    kind: 'mail',
    template: 'invoice',
    to: 'ann@example.com',
    createdAtMs: nowMs,
    leasedUntilMs: 0,
    attempts: 0,
    possibleCopies: 0,
    due: keys.outboxPartition(dueShard(subscriptionId)),
    dueAt: isoTime(dueAtMs),
  });
  const entry = await outboxStore.get(key);
  if (entry === undefined) throw new Error('The entry is not there');
  return entry;
}
