import { randomUUID } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { dueShard, dueShards, keys } from '../../../../../functions/shared/contract/keys.ts';
import { dayMs, hourMs } from '../../../../../functions/shared/runtime/duration.ts';
import { handler as drainOutboxes } from '../../../../../functions/subscriptions/drain-outbox.ts';
import { outboxStore } from '../../../../../functions/subscriptions/outbox/store.ts';
import { putItem } from '../../../../support/stored-items.ts';
import { noonMs } from '../../../../support/subscriptions/steps.ts';
import { startTimers } from '../../../../support/subscriptions/timers.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';

leaveOutPdfs();

afterEach(() => vi.unstubAllEnvs());

/** Entries whose invoice is gone: they are finished like all others, and no mail is sent. */
async function waitingEntries(count: number): Promise<void> {
  const writes = Array.from({ length: count }, async () => {
    const subscriptionId = `sub_${randomUUID()}`;
    await putItem({
      ...keys.outbox(subscriptionId, 'invoice#1'),
      entryId: 'invoice#1',
      applicationId: 'app_none',
      externalId: 'none',
      subscriptionId,
      kind: 'mail',
      template: 'invoice',
      createdAtMs: noonMs,
      leasedUntilMs: 0,
      attempts: 0,
      possibleCopies: 0,
      due: keys.outboxPartition(dueShard(subscriptionId)),
      dueAt: new Date(noonMs - hourMs).toISOString(),
    });
  });
  await Promise.all(writes);
}

test('one run of the outbox timer finishes all entries that are due, page after page of each shard', async () => {
  const time = await startTimers({ startMs: noonMs });
  try {
    vi.stubEnv('MAILS_PER_SECOND', '300');
    // More than a page of 50 in each of the four shards.
    await waitingEntries(240);
    await drainOutboxes();
    for (let shard = 0; shard < dueShards; shard += 1) {
      for await (const page of outboxStore.duePages(shard, noonMs + dayMs)) expect(page).toEqual([]);
    }
  } finally {
    await time.stop();
  }
});
