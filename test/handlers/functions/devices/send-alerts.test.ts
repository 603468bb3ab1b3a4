import { describe, expect, test, vi } from 'vitest';
import { handler as runTimer } from '../../../../functions/devices/send-alerts.ts';
import { hourMs, minuteMs } from '../../../../functions/shared/runtime/duration.ts';
import { type Account, stored } from '../../../support/devices/accounts.ts';
import {
  aloneFrom,
  dueAlert,
  runTimerWhile,
  throttled,
  trustWhile,
} from '../../../support/devices/alerts.ts';
import { failMail } from '../../../support/faults.ts';
import { alertsTo } from '../../../support/mail/mailbox.ts';
import { putItem } from '../../../support/stored-items.ts';

const start = Date.parse('2026-03-07T10:00:00Z');

aloneFrom(start);

describe('concurrent timers', () => {
  test('send each of 4 alerts once', async () => {
    const accounts: Account[] = [];
    for (let n = 0; n < 4; n += 1) accounts.push(await trustWhile(() => throttled));
    vi.setSystemTime(start + minuteMs);
    await Promise.all([runTimer(), runTimer(), runTimer()]);
    for (const { email } of accounts) {
      expect(await alertsTo(email)).toHaveLength(1);
      expect(await stored.alerts(email)).toEqual([]);
    }
  });

  test('leave an alert alone that another timer has claimed since, even after that lease has ended', async () => {
    // One alert after the other.
    vi.stubEnv('MAILS_PER_SECOND', '1');
    const account = await trustWhile(() => throttled);
    const { pk, sk, ...alert } = (await dueAlert(account)) ?? { pk: '', sk: '' };
    const later = { ...alert, pk, sk: `${sk}-later`, alertId: `${sk}-later` };
    await putItem(later);
    vi.setSystemTime(start + minuteMs);
    // While the first timer sends the first alert, another one claims the second and fails, which is then an
    // hour ago.
    const fault = failMail(async (index) => {
      if (index > 0) return throttled;
      await runTimer();
      vi.setSystemTime(start + hourMs);
      return undefined;
    });
    await runTimer().finally(fault.restore);
    vi.unstubAllEnvs();
    expect(await alertsTo(account.email)).toHaveLength(1);
    expect(await stored.alerts(account.email)).toEqual([
      { ...later, attempts: 2, leasedUntilMs: start + 3 * minuteMs, leaseId: expect.any(String) },
    ]);
  });
});

describe('a mail that keeps failing', () => {
  test('is retried after 1, 2, 4, 8, 16 and 32 minutes, then every hour', async () => {
    const account = await trustWhile(() => throttled);
    let now = start;
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60, 60]) {
      expect(await dueAlert(account)).toMatchObject({ leasedUntilMs: now + minutes * minuteMs });
      vi.setSystemTime(now + minutes * minuteMs - 1);
      expect(await runTimerWhile(() => throttled)).toBe(0);
      now += minutes * minuteMs;
      vi.setSystemTime(now);
      expect(await runTimerWhile(() => throttled)).toBe(1);
    }
    vi.setSystemTime(now + hourMs);
    expect(await runTimerWhile(() => undefined)).toBe(1);
    expect(await alertsTo(account.email)).toHaveLength(1);
    expect(await stored.alerts(account.email)).toEqual([]);
  });

  test('is abandoned after three days, not a millisecond earlier', async () => {
    const kept = await trustWhile(() => throttled);
    const lost = await trustWhile(() => throttled);
    vi.setSystemTime(start + 72 * hourMs - 1);
    let left = 1;
    const tried = await runTimerWhile(() => (left-- > 0 ? undefined : throttled));
    expect(tried).toBe(2);
    const mails = (await alertsTo(kept.email)).length + (await alertsTo(lost.email)).length;
    expect(mails).toBe(1);
    vi.setSystemTime(start + 74 * hourMs);
    expect(await runTimerWhile(() => undefined)).toBe(0);
    expect(await stored.alerts(kept.email)).toEqual([]);
    expect(await stored.alerts(lost.email)).toEqual([]);
  });

  test('a run sends all alerts that are due, however many a shard has', async () => {
    vi.stubEnv('MAILS_PER_SECOND', '40');
    const account = await trustWhile(() => throttled);
    const { pk, sk, ...alert } = (await dueAlert(account)) ?? { pk: '', sk: '' };
    const ids = Array.from({ length: 109 }, (_, n) => `${sk}-${n}`);
    await Promise.all(ids.map((alertId) => putItem({ ...alert, pk, sk: alertId, alertId })));
    vi.setSystemTime(start + minuteMs);
    expect(await runTimerWhile(() => undefined)).toBe(110);
    expect(await stored.alerts(account.email)).toEqual([]);
    vi.unstubAllEnvs();
  });
});
