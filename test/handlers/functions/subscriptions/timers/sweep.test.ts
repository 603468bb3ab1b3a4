import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { dayMs, hourMs, secondMs } from '../../../../../functions/shared/runtime/clock.ts';
import { leaveOutPdfs, newSeller, newSubscription, noonMs, putItem } from '../../../../support/call.ts';
import { subscriptionRecord } from '../../../../support/subscriptions/records.ts';
import { expectSound, storedSubscription } from '../../../../support/subscriptions/stored-state.ts';
import { startTimers, type TestTime } from '../../../../support/subscriptions/timers.ts';

leaveOutPdfs();

let time: TestTime;
afterEach(() => time.stop());
const sweep = () => time.run('subscriptions.sweep-timers');
const running = () => time.executions().filter(({ status }) => status === 'RUNNING');

describe('the sweep, with an execution for every timer', () => {
  beforeEach(async () => {
    time = await startTimers({ startMs: noonMs });
  });

  test('restarts lost executions, and every subscription ends on time', async () => {
    const seller = await newSeller();
    const states = ['trialing', 'pending', 'active'] as const;
    const made = await Promise.all(states.map((status) => seller.brought(status)));
    await time.settle();
    for (const { name } of running()) time.abort(name);
    expect(running()).toEqual([]);
    await time.advanceBy(10 * dayMs);
    await sweep();
    expect(running()).toHaveLength(3);
    await time.advanceBy(80 * dayMs);
    const ends = await Promise.all(made.map(({ externalId }) => storedSubscription(seller, externalId)));
    expect(ends.map(({ subscription }) => subscription.endedAtMs)).toEqual([
      noonMs + 14 * dayMs,
      noonMs + 21 * dayMs,
      noonMs + (31 + 21) * dayMs,
    ]);
    for (const { externalId } of made) await expectSound(seller, externalId);
  });

  test('replaces an execution that was aborted, once for three concurrent sweeps', async () => {
    const { seller, id, externalId } = await newSubscription('trialing');
    await time.settle();
    const { timerVersion } = await seller.stateOf(externalId);
    time.abort(`${id}-v${timerVersion}-trial_reminder`);
    await Promise.all([sweep(), sweep(), sweep()]);
    const after = await seller.stateOf(externalId);
    expect(running().map(({ name }) => name)).toContain(`${id}-v${after.timerVersion}-trial_reminder`);
    expect(after.timerVersion).toBeGreaterThan(timerVersion);
    await time.advanceBy(20 * dayMs);
    expect((await seller.stateOf(externalId)).status).toBe('expired');
    await expectSound(seller, externalId);
  });

  test('changes nothing for running executions', async () => {
    const { seller, externalId } = await newSubscription('active');
    await time.settle();
    const before = [await storedSubscription(seller, externalId), time.executions()];
    await sweep();
    await sweep();
    expect([await storedSubscription(seller, externalId), time.executions()]).toEqual(before);
  });
});

describe('the sweep, with a horizon of 48 hours', () => {
  beforeEach(async () => {
    time = await startTimers({ startMs: noonMs, horizonHours: 48 });
  });

  test('starts a timer when it is due within the horizon, not before', async () => {
    const { seller, externalId } = await newSubscription('active');
    await time.settle();
    await sweep();
    expect(running()).toEqual([]);
    await time.advanceBy(22 * dayMs - 1);
    await sweep();
    expect(running()).toEqual([]);
    await time.advanceBy(hourMs);
    await sweep();
    expect(running()).toMatchObject([{ state: 'Waiting for the step', dueMs: noonMs + 24 * dayMs }]);
    await time.advanceBy(3 * dayMs);
    expect((await storedSubscription(seller, externalId)).invoices).toHaveLength(2);
  });

  test('starts the timers within the horizon, on each page of a shard, and none beyond it', async () => {
    const records = Array.from({ length: 270 }, (_, i) => {
      const timer = {
        step: 'renewal_invoice',
        dueAtMs: noonMs + (i < 260 ? i * secondMs : 5 * dayMs),
      } as const;
      return subscriptionRecord({ timer, timerVersion: 1, createdAtMs: noonMs });
    });
    for (let i = 0; i < records.length; i += 50) {
      await Promise.all(
        records.slice(i, i + 50).map((one) =>
          putItem({
            ...keys.subscription(one.applicationId, one.externalId, one.subscriptionId),
            ...one,
            due: keys.timerPartition(0),
            dueAt: new Date(one.timer?.dueAtMs ?? 0).toISOString(),
          }),
        ),
      );
    }
    const { handler } = await import('../../../../../functions/subscriptions/sweep-timers.ts');
    await handler();
    expect(time.executions()).toHaveLength(260);
  });
});
