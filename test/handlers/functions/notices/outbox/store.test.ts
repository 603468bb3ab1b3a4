/** Each write of an entry of the outbox is conditioned on what was read: one that comes after another changes nothing. */

import { mailQuotaStore } from '../../../../../functions/notices/outbox/mail-quota-store.ts';
import { outboxStore } from '../../../../../functions/notices/outbox/store.ts';
import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { dayMs, hourMs, secondMs } from '../../../../../functions/shared/runtime/clock.ts';
import { getItem } from '../../../../../functions/shared/table/table.ts';
import type { OutboxEntry } from '../../../../../functions/subscriptions/record/outbox-entry.ts';
import { onTestClock } from '../../../../support/call.ts';
import { putEntry } from '../../../../support/notices/outbox-entries.ts';

onTestClock();

/** A mail that waits, as it was read, and as a process has leased it. */
interface Waiting {
  read: OutboxEntry;
  leased: OutboxEntry;
}

const claimed = async (entry: OutboxEntry, atMs: number): Promise<OutboxEntry> => {
  const leased = await outboxStore.claim(entry, atMs);
  if (leased === undefined) throw new Error('Another process has leased it');
  return leased;
};

async function waitingMail(): Promise<Waiting> {
  const read = await putEntry(Date.now());
  return { read, leased: await claimed(read, Date.now()) };
}

const quota = { perRecipient: 1, perApplication: 1 };
const untilMs = () => Date.now() + dayMs;

const writes: Record<string, (one: Waiting) => Promise<unknown>> = {
  // When the lease is over.
  takeover: async ({ leased }) => claimed(leased, Date.now() + 12 * hourMs),
  finish: ({ leased }) => outboxStore.finish(leased, { how: 'doneAtMs' }, Date.now()),
  'giving up': ({ leased }) => outboxStore.giveUp(leased, { copies: 1, failure: 'Error' }, Date.now()),
  hold: ({ leased }) => outboxStore.hold(leased, { by: 'recipient', untilMs: untilMs() }, Date.now()),
  release: ({ leased }) => outboxStore.release(leased, Date.now() + hourMs, Date.now()),
  lease: ({ read }) => outboxStore.claim(read, Date.now()),
  'lease a day later': ({ read }) => outboxStore.claim(read, untilMs()),
  count: ({ leased }) =>
    mailQuotaStore.count({ ...leased, to: 'ann@example.com' }, quota, Date.now()).catch(() => undefined),
};

const all = ['release', 'hold', 'giving up', 'lease', 'lease a day later'];
const laterThan: Record<string, readonly string[]> = {
  takeover: ['release', 'hold', 'count', 'lease a day later'],
  finish: all,
  'giving up': all,
  hold: ['release', 'hold', 'lease'],
  release: ['release', 'hold'],
};

test.each(Object.entries(laterThan).flatMap(([first, others]) => others.map((later) => ({ first, later }))))(
  '$later after $first, from an earlier reading, changes nothing',
  async ({ first, later }) => {
    const one = await waitingMail();
    const stored = () => getItem(keys.outbox(one.read.subscriptionId, one.read.entryId));
    const before = await stored();
    await writes[first]?.(one);
    const after = await stored();
    expect(after).not.toEqual(before);
    vi.setSystemTime(Date.now() + secondMs);
    await writes[later]?.(one);
    expect(await stored()).toEqual(after);
  },
);

test('a mail that is counted twice on one day counts once', async () => {
  const { leased } = await waitingMail();
  const two = { perRecipient: 2, perApplication: 2 };
  const count = () => mailQuotaStore.count({ ...leased, to: 'ann@example.com' }, two, Date.now());
  expect([await count(), await count()]).toEqual([{ isAllowed: true }, { isAllowed: true }]);
  const day = new Date().toISOString().slice(0, 10);
  expect(await getItem(keys.applicationQuota(leased.applicationId, day, 0))).toMatchObject({ count: 1 });
});
