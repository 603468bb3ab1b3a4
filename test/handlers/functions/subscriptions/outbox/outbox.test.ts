import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Key, keys } from '../../../../../functions/shared/contract/keys.ts';
import { dayMs } from '../../../../../functions/shared/runtime/duration.ts';
import { handler as deliverOutbox } from '../../../../../functions/subscriptions/deliver-outbox.ts';
import { handler as drainOutboxes } from '../../../../../functions/subscriptions/drain-outbox.ts';
import { outboxStore } from '../../../../../functions/subscriptions/outbox/store.ts';
import { handler as runStep } from '../../../../../functions/subscriptions/run-step.ts';
import { failMail, failTable, refusedBySes } from '../../../../support/faults.ts';
import { mailsTo } from '../../../../support/mail/mailbox.ts';
import { streamEvent } from '../../../../support/stream.ts';
import { good, newClient, newSeller, subscribe } from '../../../../support/subscriptions/requests.ts';
import { brought, deliverOutboxOf, inputFor, noonMs, step } from '../../../../support/subscriptions/steps.ts';
import { clientOf, stateOf, storedSubscription } from '../../../../support/subscriptions/stored-state.ts';
import { startTimers, type TestTime } from '../../../../support/subscriptions/timers.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';
import type { Tenant } from '../../../../support/tenants.ts';

leaveOutPdfs();

const minuteMs = 60_000;
let time: TestTime;
beforeEach(async () => {
  // No execution does anything, as after an endpoint that was killed before it started one.
  time = await startTimers({ startMs: noonMs, task: async (input) => ({ ...input, stage: 'end' }) });
});
afterEach(() => time.stop());

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
const subjects = async (seller: Tenant, externalId: string) =>
  (await mailsTo((await clientOf(seller, externalId))?.email ?? '')).map(({ subject }) => subject);
/** The key of the only outbox entry of a client's subscription. */
async function onlyKey(seller: Tenant, externalId: string): Promise<Key> {
  const { subscription, outbox } = await storedSubscription(seller, externalId);
  const [entry, ...others] = outbox;
  if (entry === undefined || others.length > 0) throw new Error('There is not one entry');
  return keys.outbox(subscription.subscriptionId, entry.entryId);
}
const down = () => failMail(() => refusedBySes('Throttling'));

describe('the outbox timer', () => {
  test('sends the mail that a killed endpoint has left, once for three concurrent runs', async () => {
    const seller = await newSeller();
    const { externalId } = await brought(seller, 'pending');
    await drainOutboxes();
    expect(await subjects(seller, externalId)).toEqual([]);
    later(5 * minuteMs);
    await Promise.all([drainOutboxes(), drainOutboxes(), drainOutboxes()]);
    await drainOutboxes();
    expect(await subjects(seller, externalId)).toHaveLength(1);
    expect((await storedSubscription(seller, externalId)).outbox).toMatchObject([
      { entryId: 'invoice#1', doneAtMs: Date.now() },
    ]);
  });

  test('retries while mail fails, and sends once', async () => {
    const seller = await newSeller();
    const { externalId } = await brought(seller, 'pending');
    const fault = down();
    for (let i = 0; i < 20; i += 1) {
      later(5 * minuteMs);
      await drainOutboxes();
    }
    fault.restore();
    const { attempts } = (await storedSubscription(seller, externalId)).outbox[0] ?? {};
    expect(attempts).toBeGreaterThan(2);
    expect(attempts).toBeLessThan(20);
    later(61 * minuteMs);
    await drainOutboxes();
    later(61 * minuteMs);
    await drainOutboxes();
    expect(await subjects(seller, externalId)).toHaveLength(1);
  });

  test('gives up after three days', async () => {
    const seller = await newSeller();
    const { externalId } = await brought(seller, 'pending');
    const fault = down();
    later(3 * dayMs + 1);
    await drainOutboxes().finally(fault.restore);
    expect((await storedSubscription(seller, externalId)).outbox).toMatchObject([
      { givenUpAtMs: Date.now(), failure: 'Throttling', possibleCopies: 0 },
    ]);
    later(dayMs);
    await drainOutboxes();
    expect(await subjects(seller, externalId)).toEqual([]);
  });

  test('leaves an entry that another process has leased, until the lease expires', async () => {
    const seller = await newSeller();
    const { externalId } = await brought(seller, 'pending');
    const { subscription, outbox } = await storedSubscription(seller, externalId);
    const [entry] = outbox;
    if (entry === undefined) throw new Error('Nothing is due');
    later(6 * minuteMs);
    expect(await outboxStore.claim(entry, Date.now())).toMatchObject({ attempts: 1 });
    await drainOutboxes();
    await deliverOutboxOf(subscription);
    expect(await subjects(seller, externalId)).toEqual([]);
    later(5 * minuteMs);
    await deliverOutboxOf(subscription);
    expect(await subjects(seller, externalId)).toHaveLength(1);
  });

  test('drops the invoice of a subscription that was superseded', async () => {
    const seller = await newSeller();
    const { id, externalId } = await brought(seller, 'pending');
    later(1);
    await subscribe(seller, { body: { externalId } });
    later(6 * minuteMs);
    await drainOutboxes();
    expect(await subjects(seller, externalId)).toHaveLength(1);
    const old = await storedSubscription(seller, externalId, id);
    expect(old.outbox).toMatchObject([{ entryId: 'invoice#1', droppedAtMs: Date.now() }]);
  });
});

describe('a delivery that fails', () => {
  test('delays no step, and each mail is sent once when mail works again', async () => {
    // Within the three days after which a mail is given up.
    const seller = await newSeller('none', { invoices: { renewalDays: 2 } });
    const { externalId } = await brought(seller, 'active');
    const read = () => stateOf(seller, externalId);
    await deliverOutboxOf(await read());
    const fault = down();
    vi.setSystemTime((await read()).timer?.dueAtMs ?? 0);
    await step(await read());
    expect(await read()).toMatchObject({ status: 'active', renewalInvoiced: true });
    vi.setSystemTime((await read()).timer?.dueAtMs ?? 0);
    await step(await read());
    fault.restore();
    expect((await read()).status).toBe('past_due');
    await step(await read()).catch(() => undefined);
    later(2 * 60 * minuteMs);
    await drainOutboxes();
    const sent = await subjects(seller, externalId);
    expect(sent).toHaveLength(new Set(sent).size);
    expect(sent).toHaveLength(3);
  });

  test('is no failed item of the stream, so that a fault of SES stops no shard', async () => {
    const seller = await newSeller();
    const { externalId } = await brought(seller, 'pending');
    const key = await onlyKey(seller, externalId);
    const fault = down();
    expect(await deliverOutbox(streamEvent([key])).finally(fault.restore)).toEqual({ batchItemFailures: [] });
    expect((await storedSubscription(seller, externalId)).outbox).toMatchObject([
      { attempts: 1, possibleCopies: 0, leasedUntilMs: Date.now() },
    ]);
    later(minuteMs);
    await drainOutboxes();
    expect(await subjects(seller, externalId)).toHaveLength(1);
  });

  test('is left to the outbox timer, and the mail is sent once', async () => {
    await time.stop();
    // The outbox timer begins to run shortly before the mail: a run finds nothing until then, and there is one every
    // five minutes.
    const schedulesFromMs = noonMs + 0.98 * dayMs;
    time = await startTimers({
      startMs: noonMs,
      schedules: ['subscriptions.drain-outbox'],
      schedulesFromMs,
    });
    const fault = down();
    const seller = await newSeller('none', { trial: { reminderDays: 1 } });
    const externalId = await newClient(seller);
    good(await subscribe(seller, { body: { externalId }, trialPeriodDays: 2 }));
    await time.advanceBy(1.1 * dayMs);
    fault.restore();
    expect(time.handedOver).toHaveLength(1);
    expect((await storedSubscription(seller, externalId)).outbox[0]?.attempts).toBeGreaterThan(2);
    expect(await subjects(seller, externalId)).toEqual([]);
    await time.advanceBy(dayMs);
    expect(await subjects(seller, externalId)).toHaveLength(2);
    expect(await stateOf(seller, externalId)).toMatchObject({
      status: 'expired',
      endedAtMs: noonMs + 2 * dayMs,
    });
  }, 60_000);
});

describe('the stream', () => {
  test('hands an entry over again, with no other of its batch, when the table fails before its lease', async () => {
    const seller = await newSeller();
    const all = [await brought(seller, 'pending'), await brought(seller, 'pending')];
    const keysOfAll = await Promise.all(all.map(({ externalId }) => onlyKey(seller, externalId)));
    const [first] = keysOfAll;
    const event = streamEvent(keysOfAll);
    const fault = failTable((_, __, input) => {
      const text = JSON.stringify(input);
      const isClaim = text.includes(first?.pk ?? '') && text.includes('leasedUntilMs');
      return isClaim ? new Error('connection lost') : undefined;
    });
    const { batchItemFailures } = await deliverOutbox(event).finally(fault.restore);
    expect(batchItemFailures).toEqual([{ itemIdentifier: event.Records[0]?.dynamodb?.SequenceNumber }]);
    const sent = () =>
      Promise.all(all.map(async ({ externalId }) => (await subjects(seller, externalId)).length));
    expect(await sent()).toEqual([0, 1]);
    // All records from the failed one on.
    expect(await deliverOutbox(event)).toEqual({ batchItemFailures: [] });
    expect(await sent()).toEqual([1, 1]);
  });

  test('hands over an entry that is gone, or held until tomorrow, without effect', async () => {
    vi.stubEnv('MAILS_PER_APPLICATION_AND_DAY', '1');
    const seller = await newSeller();
    await deliverOutboxOf(
      (await storedSubscription(seller, (await brought(seller, 'pending')).externalId)).subscription,
    );
    const { externalId } = await brought(seller, 'pending');
    const key = await onlyKey(seller, externalId);
    const handedOver = async () => {
      expect(await deliverOutbox(streamEvent([key]))).toEqual({ batchItemFailures: [] });
      return (await storedSubscription(seller, externalId)).outbox;
    };
    const first = await handedOver();
    expect(first).toMatchObject([{ heldBy: 'application', attempts: 0 }]);
    expect(await handedOver()).toEqual(first);
    vi.unstubAllEnvs();
    expect(await handedOver()).toEqual(first);
    const gone = { pk: key.pk, sk: 'OUTBOX#gone' };
    expect(await deliverOutbox(streamEvent([gone]))).toEqual({ batchItemFailures: [] });
  });

  test('hands over as many entries as a batch has, and each mail is sent once', async () => {
    vi.stubEnv('MAILS_PER_SECOND', '50');
    const sellers = [await newSeller(), await newSeller()];
    const made = sellers.flatMap((seller) =>
      Array.from({ length: 20 }, async () => ({ seller, ...(await brought(seller, 'pending')) })),
    );
    const all = await Promise.all(made);
    const keysOfAll = all.map(({ seller, externalId }) => onlyKey(seller, externalId));
    const event = streamEvent(await Promise.all(keysOfAll));
    const both = await Promise.all([deliverOutbox(event), deliverOutbox(event)]);
    vi.unstubAllEnvs();
    expect(both).toEqual([{ batchItemFailures: [] }, { batchItemFailures: [] }]);
    const sent = await Promise.all(all.map(({ seller, externalId }) => subjects(seller, externalId)));
    expect(sent.map((one) => one.length)).toEqual(Array(40).fill(1));
  });
});

test('a mail is sent once by ten concurrent deliveries of one outbox', async () => {
  const seller = await newSeller();
  const { externalId } = await brought(seller, 'pending');
  const subscription = await stateOf(seller, externalId);
  // Nine leave the entry to the delivery that has leased it: no error, and no alarm.
  await Promise.all(Array.from({ length: 10 }, () => deliverOutboxOf(subscription)));
  expect(await subjects(seller, externalId)).toHaveLength(1);
});

test('an entry that another process has leased is left to it, and to the outbox timer when that has died', async () => {
  const seller = await newSeller();
  const { externalId } = await brought(seller, 'pending');
  const { outbox } = await storedSubscription(seller, externalId);
  const [entry] = outbox;
  expect(entry && (await outboxStore.claim(entry, Date.now()))).toBeDefined();
  const event = streamEvent([await onlyKey(seller, externalId)]);
  expect(await deliverOutbox(event)).toEqual({ batchItemFailures: [] });
  expect(await subjects(seller, externalId)).toEqual([]);
  later(5 * minuteMs);
  await drainOutboxes();
  expect(await subjects(seller, externalId)).toHaveLength(1);
});

test('mails of steps that run late in one go are one mail, which says what holds now', async () => {
  const seller = await newSeller();
  const { externalId } = await brought(seller, 'active');
  const subscription = await stateOf(seller, externalId);
  await deliverOutboxOf(subscription);
  const before = await subjects(seller, externalId);
  later(33 * dayMs);
  await step(subscription);
  const after = await subjects(seller, externalId);
  expect(after.slice(0, after.length - before.length)).toEqual([expect.stringContaining('overdue')]);
});

test('a step sends no mail itself, and leaves its outbox to the stream', async () => {
  const seller = await newSeller();
  const { externalId } = await brought(seller, 'trialing');
  const subscription = await stateOf(seller, externalId);
  vi.setSystemTime(subscription.timer?.dueAtMs ?? 0);
  await runStep(inputFor(subscription));
  expect(await subjects(seller, externalId)).toEqual([]);
  const after = await storedSubscription(seller, externalId);
  expect(after.outbox).toMatchObject([{ template: 'trial_reminder', leasedUntilMs: 0, attempts: 0 }]);
  const entryId = after.outbox[0]?.entryId ?? '';
  await deliverOutbox(streamEvent([keys.outbox(subscription.subscriptionId, entryId)]));
  expect(await subjects(seller, externalId)).toHaveLength(1);
});
