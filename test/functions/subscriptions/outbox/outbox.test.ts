import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as emptyOutboxes } from '../../../../functions/subscriptions/drain-outbox.ts';
import { dayMs } from '../../../../functions/subscriptions/lifecycle/term.ts';
import { outboxStore } from '../../../../functions/subscriptions/outbox/store.ts';
import { failMail } from '../../../support/faults.ts';
import { mailsTo } from '../../../support/mails.ts';
import { clientOf, kept } from '../../../support/subscription-state.ts';
import { brought, emptyOutboxOf, noonMs, step } from '../../../support/subscription-world.ts';
import { newSeller, subscribe } from '../../../support/subscriptions.ts';
import type { Tenant } from '../../../support/tenants.ts';
import { startTimers, type TestTime } from '../../../support/timers.ts';

const minuteMs = 60_000;
let time: TestTime;
beforeEach(async () => {
  // Executions come to nothing, like those of an endpoint that was killed before it started one.
  time = await startTimers({ startMs: noonMs, step: async (input) => ({ ...input, stage: 'end' }) });
});
afterEach(() => time.stop());

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
const subjects = async (seller: Tenant, externalId: string) =>
  (await mailsTo((await clientOf(seller, externalId))?.email ?? '')).map(({ subject }) => subject);
const down = () => failMail(() => Object.assign(new Error('down'), { name: 'ServiceUnavailable' }));

describe('the timer of outboxes', () => {
  test('sends what an endpoint left that was killed, once for three runs at once', async () => {
    const seller = await newSeller();
    const { externalId } = await brought(seller, 'pending');
    await emptyOutboxes();
    expect(await subjects(seller, externalId)).toEqual([]);
    later(5 * minuteMs);
    await Promise.all([emptyOutboxes(), emptyOutboxes(), emptyOutboxes()]);
    await emptyOutboxes();
    expect(await subjects(seller, externalId)).toHaveLength(1);
    expect((await kept(seller, externalId)).outbox).toMatchObject([
      { entryId: 'invoice#1', doneAtMs: Date.now() },
    ]);
  });

  test('tries again while mail fails, and sends once', async () => {
    const seller = await newSeller();
    const { externalId } = await brought(seller, 'pending');
    const fault = down();
    for (let i = 0; i < 20; i += 1) {
      later(5 * minuteMs);
      await emptyOutboxes();
    }
    fault.restore();
    const { attempts } = (await kept(seller, externalId)).outbox[0] ?? {};
    expect(attempts).toBeGreaterThan(2);
    expect(attempts).toBeLessThan(20);
    later(61 * minuteMs);
    await emptyOutboxes();
    later(61 * minuteMs);
    await emptyOutboxes();
    expect(await subjects(seller, externalId)).toHaveLength(1);
  });

  test('gives up after three days', async () => {
    const seller = await newSeller();
    const { externalId } = await brought(seller, 'pending');
    const fault = down();
    later(3 * dayMs + 1);
    await emptyOutboxes().finally(fault.restore);
    expect((await kept(seller, externalId)).outbox).toMatchObject([{ droppedAtMs: Date.now() }]);
    later(dayMs);
    await emptyOutboxes();
    expect(await subjects(seller, externalId)).toEqual([]);
  });

  test('leaves what somebody else has leased, until the lease is over', async () => {
    const seller = await newSeller();
    const { externalId } = await brought(seller, 'pending');
    const { subscription, outbox } = await kept(seller, externalId);
    const [entry] = outbox;
    if (entry === undefined) throw new Error('Nothing is due');
    later(6 * minuteMs);
    expect(await outboxStore.claim(entry, Date.now())).toMatchObject({ attempts: 1 });
    await emptyOutboxes();
    await expect(emptyOutboxOf(subscription)).rejects.toMatchObject({ name: 'OutboxNotEmpty' });
    expect(await subjects(seller, externalId)).toEqual([]);
    later(2 * minuteMs);
    await emptyOutboxOf(subscription);
    expect(await subjects(seller, externalId)).toHaveLength(1);
  });

  test('drops the invoice of a subscription that was superseded', async () => {
    const seller = await newSeller();
    const { id, externalId } = await brought(seller, 'pending');
    later(1);
    await subscribe(seller, { body: { externalId } });
    later(6 * minuteMs);
    await emptyOutboxes();
    expect(await subjects(seller, externalId)).toHaveLength(1);
    const old = await kept(seller, externalId, id);
    expect(old.outbox).toMatchObject([{ entryId: 'invoice#1', droppedAtMs: Date.now() }]);
  });
});

test('a mail that fails holds no step up, and is sent once when it can be', async () => {
  const seller = await newSeller();
  const { externalId } = await brought(seller, 'active');
  const read = async () => (await kept(seller, externalId)).subscription;
  await emptyOutboxOf(await read());
  const fault = down();
  vi.setSystemTime((await read()).timer?.dueAtMs ?? 0);
  await expect(step(await read())).rejects.toMatchObject({ name: 'OutboxNotEmpty' });
  expect(await read()).toMatchObject({ status: 'active', renewing: true });
  vi.setSystemTime((await read()).timer?.dueAtMs ?? 0);
  await expect(step(await read())).rejects.toMatchObject({ name: 'OutboxNotEmpty' });
  fault.restore();
  expect((await read()).status).toBe('past_due');
  await step(await read(), { retry: 1 });
  await step(await read(), { retry: 1 });
  later(2 * 60 * minuteMs);
  await emptyOutboxes();
  const sent = await subjects(seller, externalId);
  expect(sent).toHaveLength(new Set(sent).size);
  expect(sent).toHaveLength(3);
});
