import { randomUUID } from 'node:crypto';
import { handler as drainOutboxes } from '../../../../../functions/notices/drain.ts';
import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { mailboxOf } from '../../../../../functions/shared/fields/mailbox.ts';
import { dayMs, hourMs } from '../../../../../functions/shared/runtime/clock.ts';
import { getItem } from '../../../../../functions/shared/table/table.ts';
import {
  call,
  deliverOutboxOf,
  good,
  leaveOutPdfs,
  newSeller,
  noonMs,
  putItem,
  type Tenant,
} from '../../../../support/call.ts';
import { failMail, refusedBySes } from '../../../../support/faults.ts';
import { mailsTo } from '../../../../support/mail/mailbox.ts';
import { asOperator } from '../../../../support/samples/operator.ts';
import { storedSubscription } from '../../../../support/subscriptions/stored-state.ts';
import { startTimers, type TestTime } from '../../../../support/subscriptions/timers.ts';

leaveOutPdfs();

let time: TestTime;
beforeEach(async () => {
  time = await startTimers({ startMs: noonMs, task: async (input) => ({ ...input, stage: 'end' }) });
  vi.stubEnv('MAILS_PER_SECOND', '50');
});
afterEach(async () => {
  await time.stop();
});

const quota = (perRecipient: number, perApplication = 50_000) => {
  vi.stubEnv('MAILS_PER_RECIPIENT_AND_DAY', String(perRecipient));
  vi.stubEnv('MAILS_PER_APPLICATION_AND_DAY', String(perApplication));
};
const day = '2027-03-10';
const nextDay = () => vi.setSystemTime(Date.parse('2027-03-11T01:05:00.000Z'));

/** A subscription whose invoice is to be mailed. @returns how to deliver its outbox, and to read it. */
async function invoiced(seller: Tenant, email = `${randomUUID()}@example.com`) {
  const externalId = await seller.newClient({ email });
  good(await seller.subscribe({ body: { externalId } }));
  const stored = () => storedSubscription(seller, externalId);
  const { subscription } = await stored();
  return {
    email,
    subscription,
    deliver: () => deliverOutboxOf(subscription),
    entry: async () => (await stored()).outbox[0],
    mails: async () => (await mailsTo(email)).length,
  };
}

const countsOf = async ({ applicationId }: Tenant, email: string, shards = 1) => {
  const items = await Promise.all([
    getItem(keys.recipientQuota(applicationId, day, mailboxOf(email))),
    ...Array.from({ length: shards }, (_, i) => getItem(keys.applicationQuota(applicationId, day, i))),
  ]);
  const [recipient = 0, ...application] = items.map((item) => Number(item?.count ?? 0));
  return [recipient, application.reduce((sum, count) => sum + count, 0)];
};

describe('the mails of an application to one mailbox', () => {
  test('are capped for a day, plus tags included; the rest waits, untried, and is sent the next day', async () => {
    quota(2);
    const seller = await newSeller();
    const name = randomUUID();
    const addresses = [`${name}@example.com`, `${name}+a@example.com`, `${name}+b+c@example.com`];
    const all = [];
    for (const email of addresses) all.push(await invoiced(seller, email));
    for (const one of all) await one.deliver();
    expect(await Promise.all(all.map((one) => one.mails()))).toEqual([1, 1, 0]);
    const held = all[2];
    const entry = await held?.entry();
    expect(entry).toMatchObject({
      attempts: 0,
      possibleCopies: 0,
      heldBy: 'recipient',
      leasedUntilMs: Date.now(),
    });
    expect(entry?.doneAtMs).toBeUndefined();
    // Neither the state machine nor the timer tries it again on that day.
    await held?.deliver();
    vi.setSystemTime(noonMs + 11 * hourMs);
    await drainOutboxes();
    expect(await held?.entry()).toEqual(entry);
    nextDay();
    await drainOutboxes();
    expect(await held?.mails()).toBe(1);
    expect(await held?.entry()).toMatchObject({ doneAtMs: Date.now(), attempts: 1 });
  });

  test('delay no mail to others, of another application to the mailbox, or of another recipient', async () => {
    quota(1);
    const seller = await newSeller();
    const other = await newSeller();
    const first = await invoiced(seller);
    const second = await invoiced(seller, first.email);
    const third = await invoiced(seller);
    const foreign = await invoiced(other, first.email);
    for (const one of [first, second, third, foreign]) await one.deliver();
    expect(await third.mails()).toBe(1);
    expect(await first.mails()).toBe(2);
    expect((await second.entry())?.heldBy).toBe('recipient');
    expect((await foreign.entry())?.doneAtMs).toBeTypeOf('number');
  });
});

describe('the mails of an application', () => {
  test('are never more than its quota, with concurrent deliveries', async () => {
    quota(20, 2);
    const seller = await newSeller();
    const all = await Promise.all([1, 2, 3, 4].map(() => invoiced(seller)));
    const results = await Promise.allSettled(all.map((one) => one.deliver()));
    for (let round = 0; round < 5 && results.some(({ status }) => status === 'rejected'); round += 1) {
      vi.setSystemTime(Date.now() + 2 * hourMs);
      for (const one of all) await one.deliver().catch(() => undefined);
    }
    expect((await Promise.all(all.map((one) => one.mails()))).toSorted()).toEqual([0, 0, 1, 1]);
    expect(await countsOf(seller, 'nobody@example.com', 1)).toEqual([0, 2]);
    const held = (await Promise.all(all.map((one) => one.entry()))).filter((entry) => entry?.heldBy);
    expect(held).toHaveLength(2);
  });

  test('fill every counter before a mail waits', async () => {
    quota(20, 1_000);
    const seller = await newSeller();
    const one = await invoiced(seller);
    for (let shard = 0; shard < 10; shard += 1) {
      await putItem({
        ...keys.applicationQuota(seller.applicationId, day, shard),
        count: shard === 7 ? 99 : 100,
      });
    }
    await one.deliver();
    expect(await one.mails()).toBe(1);
    const last = await invoiced(seller);
    await last.deliver();
    expect((await last.entry())?.heldBy).toBe('application');
  });
});

test('a mail that is tried again is not given up for the days on which it was held', async () => {
  quota(1);
  const seller = await newSeller();
  const first = await invoiced(seller);
  await first.deliver();
  const held = await invoiced(seller, first.email);
  await held.deliver();
  vi.setSystemTime(noonMs + 4 * dayMs);
  quota(1, 50_000);
  const fault = failMail(() => refusedBySes('Throttling'));
  await held
    .deliver()
    .catch(() => undefined)
    .finally(fault.restore);
  const entry = await held.entry();
  expect(entry?.givenUpAtMs).toBe(Date.now());
  // Three days after it was due again, not after it was written.
  expect(Date.now() - (entry?.heldUntilMs ?? 0)).toBeGreaterThan(3 * dayMs);
  expect((entry?.heldUntilMs ?? 0) - noonMs).toBeGreaterThan(11 * hourMs);
});

test('an operator lists the mails that are held, with the quota that holds them', async () => {
  quota(1);
  const seller = await newSeller();
  const first = await invoiced(seller);
  const second = await invoiced(seller, first.email);
  for (const one of [first, second]) await one.deliver();
  const listed = async (query: Record<string, string>) =>
    good(await call('operator.mail-list', await asOperator({ query }))).mails.filter(
      (mail: { applicationId: string }) => mail.applicationId === seller.applicationId,
    );
  expect(await listed({ status: 'held', limit: '100' })).toMatchObject([
    {
      _id: `${second.subscription.subscriptionId}:invoice#1`,
      kind: 'invoice',
      status: 'held',
      heldBy: 'recipient',
      heldUntil: expect.stringMatching(/^2027-03-11T00:/),
      attempts: 0,
      possibleCopies: 0,
    },
  ]);
  expect(await listed({})).toEqual([]);
});
