import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { dayMs } from '../../../../functions/shared/runtime/duration.ts';
import { handler as deliverOutbox } from '../../../../functions/subscriptions/deliver-outbox.ts';
import { handler as drainOutboxes } from '../../../../functions/subscriptions/drain-outbox.ts';
import { outboxStore } from '../../../../functions/subscriptions/outbox/store.ts';
import { handler as runStep } from '../../../../functions/subscriptions/run-step.ts';
import { nextInput } from '../../../../functions/subscriptions/scheduling/next-input.ts';
import { failMail, refusedBySes } from '../../../support/faults.ts';
import { mailsTo } from '../../../support/mail/mailbox.ts';
import { good, newClient, newSeller, subscribe } from '../../../support/subscriptions/requests.ts';
import { brought, deliverOutboxOf, inputFor, noonMs, step } from '../../../support/subscriptions/steps.ts';
import { clientOf, storedSubscription } from '../../../support/subscriptions/stored-state.ts';
import { startTimers, type TestTime } from '../../../support/subscriptions/timers.ts';
import type { Tenant } from '../../../support/tenants.ts';

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
    await expect(deliverOutbox({ ...inputFor(subscription), retry: 1 })).rejects.toMatchObject({
      name: 'OutboxNotEmpty',
    });
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
    const read = async () => (await storedSubscription(seller, externalId)).subscription;
    await deliverOutboxOf(await read());
    const fault = down();
    vi.setSystemTime((await read()).timer?.dueAtMs ?? 0);
    await expect(step(await read())).rejects.toMatchObject({ name: 'OutboxNotEmpty' });
    expect(await read()).toMatchObject({ status: 'active', renewalInvoiced: true });
    vi.setSystemTime((await read()).timer?.dueAtMs ?? 0);
    await expect(step(await read())).rejects.toMatchObject({ name: 'OutboxNotEmpty' });
    fault.restore();
    expect((await read()).status).toBe('past_due');
    await step(await read(), { retry: 1 });
    await step(await read(), { retry: 1 });
    later(2 * 60 * minuteMs);
    await drainOutboxes();
    const sent = await subjects(seller, externalId);
    expect(sent).toHaveLength(new Set(sent).size);
    expect(sent).toHaveLength(3);
  });

  test('is retried by the execution only while no step is due within the longest delay of a retry', async () => {
    const seller = await newSeller();
    const { externalId } = await brought(seller, 'pending');
    const { subscription } = await storedSubscription(seller, externalId);
    const input = inputFor(subscription, { stage: 'outbox' });
    const { step: stage = 'resume', dueAtMs = 0 } = subscription.timer ?? {};
    const fault = down();
    vi.setSystemTime(dueAtMs - 60 * minuteMs - 1);
    await expect(deliverOutbox(input)).rejects.toMatchObject({ name: 'OutboxNotEmpty' });
    vi.setSystemTime(dueAtMs - 60 * minuteMs);
    expect(await deliverOutbox(input).finally(fault.restore)).toEqual({ ...input, stage });
  });

  test('is left to the outbox timer when the execution gives up, and the mail is sent once', async () => {
    await time.stop();
    time = await startTimers({ startMs: noonMs, schedules: ['subscriptions.drain-outbox'] });
    const fault = down();
    // A short trial: the outbox timer runs every five minutes of it.
    const seller = await newSeller('none', { trial: { reminderDays: 1 } });
    const externalId = await newClient(seller);
    good(await subscribe(seller, { body: { externalId }, trialPeriodDays: 2 }));
    await time.advanceBy(dayMs);
    const delays = time.deliveries.map(({ error }) => error?.name);
    expect(delays).toEqual(['OutboxNotEmpty']);
    await time.advanceBy(dayMs / 2);
    fault.restore();
    expect(time.deliveries.map(({ error }) => error?.name)).toEqual(Array(9).fill('OutboxNotEmpty'));
    expect(time.executions()).toMatchObject([
      { status: 'RUNNING', state: 'Waiting for the end of the trial' },
    ]);
    expect(await subjects(seller, externalId)).toEqual([]);
    await time.advanceBy(dayMs);
    expect(await subjects(seller, externalId)).toHaveLength(2);
    expect((await storedSubscription(seller, externalId)).subscription).toMatchObject({
      status: 'expired',
      endedAtMs: noonMs + 2 * dayMs,
    });
  }, 60_000);
});

test('a mail is sent once by ten concurrent deliveries of one outbox', async () => {
  const seller = await newSeller();
  const { externalId } = await brought(seller, 'pending');
  const { subscription } = await storedSubscription(seller, externalId);
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => deliverOutboxOf(subscription)));
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.name] : []));
  // The other nine leave the entry to the delivery that has leased it: no error, and no alarm.
  expect(errors).toEqual([]);
  expect(await subjects(seller, externalId)).toHaveLength(1);
});

test('only a retry fails for an entry that another process has leased, because that process may have died', async () => {
  const seller = await newSeller();
  const { externalId } = await brought(seller, 'pending');
  const { subscription, outbox } = await storedSubscription(seller, externalId);
  const [entry] = outbox;
  expect(entry && (await outboxStore.claim(entry, Date.now()))).toBeDefined();
  const input = inputFor(subscription, { stage: 'outbox' });
  expect(await deliverOutbox(input)).toMatchObject({ stage: 'payment_lapse' });
  await expect(deliverOutbox({ ...input, retry: 1 })).rejects.toMatchObject({ name: 'OutboxNotEmpty' });
  later(5 * minuteMs);
  await deliverOutbox({ ...input, retry: 2 });
  expect(await subjects(seller, externalId)).toHaveLength(1);
});

test('mails of steps that run late in one go are sent in the order of the steps', async () => {
  const seller = await newSeller();
  const { externalId } = await brought(seller, 'active');
  const { subscription } = await storedSubscription(seller, externalId);
  await deliverOutboxOf(subscription);
  const before = await subjects(seller, externalId);
  later(33 * dayMs);
  await step(subscription);
  const after = await subjects(seller, externalId);
  expect(after.slice(0, after.length - before.length)).toEqual([
    expect.stringContaining('overdue'),
    expect.stringContaining('to renew'),
  ]);
});

test('a step sends no mail itself, and leaves its outbox to the delivery task', async () => {
  const seller = await newSeller();
  const { externalId } = await brought(seller, 'trialing');
  const { subscription } = await storedSubscription(seller, externalId);
  vi.setSystemTime(subscription.timer?.dueAtMs ?? 0);
  const next = await runStep(inputFor(subscription));
  expect(await subjects(seller, externalId)).toEqual([]);
  const after = await storedSubscription(seller, externalId);
  expect(after.outbox).toMatchObject([{ entryId: 'trial_reminder', leasedUntilMs: 0, attempts: 0 }]);
  expect(next).toEqual({ ...nextInput(inputFor(subscription), after.subscription), stage: 'outbox' });
  expect(await deliverOutbox(next)).toEqual({ ...next, stage: nextInput(next, after.subscription).stage });
  expect(await subjects(seller, externalId)).toHaveLength(1);
});
