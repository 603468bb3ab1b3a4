import { handler as deliverOutbox } from '../../../../../functions/notices/deliver.ts';
import { handler as drainOutboxes } from '../../../../../functions/notices/drain.ts';
import { outboxStore } from '../../../../../functions/notices/outbox/store.ts';
import type { Key } from '../../../../../functions/shared/contract/keys.ts';
import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { dayMs, minuteMs } from '../../../../../functions/shared/runtime/clock.ts';
import { good, leaveOutPdfs, newSeller, noonMs, type Tenant } from '../../../../support/call.ts';
import { failMail, failTable, refusedBySes } from '../../../../support/faults.ts';
import { mailsTo } from '../../../../support/mail/mailbox.ts';
import { putEntry, subscriptionInShard } from '../../../../support/notices/outbox-entries.ts';
import { clientOf, storedSubscription } from '../../../../support/subscriptions/stored-state.ts';
import { startTimers, type TestTime } from '../../../../support/subscriptions/timers.ts';
import { streamEvent } from '../../../../support/table/stream.ts';

leaveOutPdfs();

let time: TestTime;
let seller: Tenant;
beforeEach(async () => {
  // No execution does anything, as after an endpoint that was killed before it started one.
  time = await startTimers({ startMs: noonMs, task: async (input) => ({ ...input, stage: 'end' }) });
  seller = await newSeller();
});
afterEach(async () => {
  await time.stop();
});

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
const subjects = async (externalId: string, one = seller) =>
  (await mailsTo((await clientOf(one, externalId))?.email ?? '')).map(({ subject }) => subject);
const outboxOf = async (externalId: string, id?: string) =>
  (await storedSubscription(seller, externalId, id)).outbox;
const keyOf = ({ subscriptionId, entryId }: { subscriptionId: string; entryId: string }): Key =>
  keys.outbox(subscriptionId, entryId);
/** The key of the only outbox entry of a client's subscription. */
async function onlyKey(externalId: string): Promise<Key> {
  const [entry, ...others] = await outboxOf(externalId);
  if (entry === undefined || others.length > 0) throw new Error('There is not one entry');
  return keyOf(entry);
}
const handOver = async (...of: Key[]) => deliverOutbox(streamEvent(of));
const allDelivered = { batchItemFailures: [] };
const down = () => failMail(() => refusedBySes('Throttling'));

describe('the outbox timer', () => {
  test('sends the mail that a killed endpoint has left, once for three concurrent runs', async () => {
    const { externalId } = await seller.brought('pending');
    await drainOutboxes();
    expect(await subjects(externalId)).toEqual([]);
    later(5 * minuteMs);
    await Promise.all([drainOutboxes(), drainOutboxes(), drainOutboxes()]);
    await drainOutboxes();
    expect(await subjects(externalId)).toHaveLength(1);
    expect(await outboxOf(externalId)).toMatchObject([{ entryId: 'invoice#1', doneAtMs: Date.now() }]);
  });

  test('keeps each mail as it was sent, without the addresses of the payment page and the billing page', async () => {
    const paidOnline = await newSeller('sandbox');
    const { externalId } = await paidOnline.brought('past_due');
    later(5 * minuteMs);
    await drainOutboxes();
    const mails = await mailsTo((await clientOf(paidOnline, externalId))?.email ?? '');
    const links = /https?:[^\s)]+/g;
    expect(mails.flatMap(({ text }) => text.match(links) ?? []).join(' ')).toMatch(/checkout.*billing/);
    const sent = mails.map(({ subject, text }) => ({
      subject,
      text: `${text.replaceAll(links, '[link]').trimEnd()}\n`,
    }));
    const { outbox } = await storedSubscription(paidOnline, externalId);
    expect(outbox.map((entry) => entry.sent)).toEqual(expect.arrayContaining(sent));
  });

  test('retries ever later while mail fails, and sends once', async () => {
    const { externalId } = await seller.brought('pending');
    const fault = down();
    for (let i = 0; i < 12; i += 1) {
      later(5 * minuteMs);
      await drainOutboxes();
    }
    fault.restore();
    const { attempts } = (await outboxOf(externalId))[0] ?? {};
    expect(attempts).toBeGreaterThan(2);
    expect(attempts).toBeLessThan(12);
    for (const _ of [1, 2]) {
      later(61 * minuteMs);
      await drainOutboxes();
    }
    expect(await subjects(externalId)).toHaveLength(1);
  });

  test('gives up after three days', async () => {
    const { externalId } = await seller.brought('pending');
    const fault = down();
    later(3 * dayMs + 1);
    await drainOutboxes().finally(fault.restore);
    expect(await outboxOf(externalId)).toMatchObject([
      { givenUpAtMs: Date.now(), failure: 'Throttling', possibleCopies: 0 },
    ]);
    later(dayMs);
    await drainOutboxes();
    expect(await subjects(externalId)).toEqual([]);
  });

  test('drops the invoice of a subscription that was superseded', async () => {
    const { id, externalId } = await seller.brought('pending');
    later(1);
    await seller.subscribe({ body: { externalId } });
    later(6 * minuteMs);
    await drainOutboxes();
    expect(await subjects(externalId)).toHaveLength(2);
    expect(await outboxOf(externalId, id)).toMatchObject([
      { entryId: 'cancelled#2', doneAtMs: Date.now() },
      { entryId: 'invoice#1', droppedAtMs: Date.now() },
    ]);
  });

  test('finishes all entries of a shard that are due, page after page', async () => {
    vi.stubEnv('MAILS_PER_SECOND', '300');
    // A page has 50.
    const due = () => putEntry(noonMs, { subscriptionId: subscriptionInShard(0), dueAtMs: noonMs - 1 });
    await Promise.all(Array.from({ length: 55 }, due));
    await drainOutboxes();
    for await (const page of outboxStore.duePages(0, noonMs)) expect(page).toEqual([]);
  });
});

test('an entry that another process has leased is left to it, and to the outbox timer when that has died', async () => {
  const { externalId } = await seller.brought('pending');
  const [entry] = await outboxOf(externalId);
  later(6 * minuteMs);
  expect(entry && (await outboxStore.claim(entry, Date.now()))).toMatchObject({ attempts: 1 });
  await drainOutboxes();
  expect(await handOver(await onlyKey(externalId))).toEqual(allDelivered);
  expect(await subjects(externalId)).toEqual([]);
  later(5 * minuteMs);
  await drainOutboxes();
  expect(await subjects(externalId)).toHaveLength(1);
});

describe('the stream', () => {
  test('is not stopped by a fault of SES: the mail is left to the outbox timer, and sent once', async () => {
    const { externalId } = await seller.brought('pending');
    const key = await onlyKey(externalId);
    const fault = down();
    expect(await handOver(key).finally(fault.restore)).toEqual(allDelivered);
    expect(await outboxOf(externalId)).toMatchObject([
      { attempts: 1, possibleCopies: 0, leasedUntilMs: Date.now() },
    ]);
    later(minuteMs);
    await drainOutboxes();
    expect(await subjects(externalId)).toHaveLength(1);
  });

  test('hands over the mails of a subscription in any order, and they arrive in the order of their causes', async () => {
    const { id, externalId } = await seller.brought('active');
    later(minuteMs);
    good(await seller.act('cancel', id, { atPeriodEnd: true }));
    const all = (await outboxOf(externalId)).toSorted((a, b) => b.revision - a.revision);
    await handOver(...all.map(keyOf));
    expect((await subjects(externalId)).toReversed()).toEqual([
      expect.stringContaining('paid until'),
      expect.stringContaining('your subscription ends on'),
    ]);
  });

  test('hands an entry over again, with no other of its batch, when the table fails before its lease', async () => {
    const all = [await seller.brought('pending'), await seller.brought('pending')];
    const keysOfAll = await Promise.all(all.map(({ externalId }) => onlyKey(externalId)));
    const event = streamEvent(keysOfAll);
    const fault = failTable((_, __, input) => {
      const text = JSON.stringify(input);
      const isClaim = text.includes(keysOfAll[0]?.pk ?? '') && text.includes('leasedUntilMs');
      return isClaim ? new Error('connection lost') : undefined;
    });
    const { batchItemFailures } = await deliverOutbox(event).finally(fault.restore);
    expect(batchItemFailures).toEqual([{ itemIdentifier: event.Records[0]?.dynamodb?.SequenceNumber }]);
    const sent = () => Promise.all(all.map(async ({ externalId }) => (await subjects(externalId)).length));
    expect(await sent()).toEqual([0, 1]);
    // All records from the failed one on.
    expect(await deliverOutbox(event)).toEqual(allDelivered);
    expect(await sent()).toEqual([1, 1]);
  });

  test('hands over an entry that is gone, or held until tomorrow, without effect', async () => {
    vi.stubEnv('MAILS_PER_APPLICATION_AND_DAY', '1');
    await handOver(await onlyKey((await seller.brought('pending')).externalId));
    const { externalId } = await seller.brought('pending');
    const key = await onlyKey(externalId);
    expect(await handOver(key)).toEqual(allDelivered);
    const held = await outboxOf(externalId);
    expect(held).toMatchObject([{ heldBy: 'application', attempts: 0 }]);
    vi.unstubAllEnvs();
    expect(await handOver(key, { pk: key.pk, sk: 'OUTBOX#gone' })).toEqual(allDelivered);
    expect(await outboxOf(externalId)).toEqual(held);
  });

  test('hands over the same entries several times at once, and each mail is sent once', async () => {
    vi.stubEnv('MAILS_PER_SECOND', '50');
    const all = await Promise.all(Array.from({ length: 8 }, () => seller.brought('pending')));
    const event = streamEvent(await Promise.all(all.map(({ externalId }) => onlyKey(externalId))));
    // Those that find an entry leased leave it to its holder: no error, and no alarm.
    const each = await Promise.all(Array.from({ length: 4 }, () => deliverOutbox(event)));
    expect(each).toEqual(each.map(() => allDelivered));
    const sent = await Promise.all(all.map(({ externalId }) => subjects(externalId)));
    expect(sent.map((one) => one.length)).toEqual(all.map(() => 1));
  });
});
