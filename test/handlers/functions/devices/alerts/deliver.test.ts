import { describe, expect, test, vi } from 'vitest';
import { handler as runTimer } from '../../../../../functions/devices/send-alerts.ts';
import { hourMs, minuteMs } from '../../../../../functions/shared/runtime/duration.ts';
import { call } from '../../../../support/call.ts';
import {
  checkIn,
  newAccount,
  quarantinedAccount,
  requestCode,
  shownDevice,
  stored,
  verification,
  verify,
} from '../../../../support/devices/accounts.ts';
import {
  aloneFrom,
  dueAlert,
  killedAtTheMail,
  throttled,
  trustWhile,
} from '../../../../support/devices/alerts.ts';
import { loseMailAnswers } from '../../../../support/faults.ts';
import { alertsTo } from '../../../../support/mail/mailbox.ts';

const start = Date.parse('2026-03-07T10:00:00Z');

aloneFrom(start);

describe('the New Device Login mail', () => {
  test('is sent exactly once to the address of the user before the response, and no alert stays due', async () => {
    const account = newAccount();
    const sourceIp = '203.0.113.77';
    await checkIn(account, sourceIp);
    const code = await requestCode(account.email);
    await call('devices.trust', { ...verification(account, code), sourceIp: '198.51.100.3' });
    const alerts = await alertsTo(account.email);
    expect(alerts).toHaveLength(1);
    expect(alerts[0]?.to).toEqual([account.email]);
    expect(alerts[0]?.subject).toBe('New Device Login: Chrome on Windows');
    for (const part of ['text', 'html'] as const) {
      // The address of the check: the verification can come from elsewhere.
      for (const fact of ['Chrome on Windows', sourceIp, 'Location', 'Unknown', '7 March 2026, 10:00 UTC'])
        expect(alerts[0]?.[part]).toContain(fact);
      expect(alerts[0]?.[part]).not.toContain(code);
    }
    expect(await stored.alerts(account.email)).toEqual([]);
    await runTimer();
    expect(await alertsTo(account.email)).toHaveLength(1);
  });
});

describe('when SES fails during a verification', () => {
  test('the timer sends the alert after the lease and removes it', async () => {
    const account = await trustWhile(() => throttled);
    vi.setSystemTime(start + minuteMs - 1);
    await runTimer();
    expect(await alertsTo(account.email)).toEqual([]);
    vi.setSystemTime(start + minuteMs);
    await runTimer();
    const alerts = await alertsTo(account.email);
    expect(alerts).toHaveLength(1);
    // The time of the trust, not of the mail.
    expect(alerts[0]?.text).toContain('7 March 2026, 10:00 UTC');
    expect(await stored.alerts(account.email)).toEqual([]);
    vi.setSystemTime(start + 24 * hourMs);
    await runTimer();
    expect(await alertsTo(account.email)).toHaveLength(1);
  });

  test('the response does not wait longer than three seconds for SES, and the alert stays due', async () => {
    const { account, code } = await quarantinedAccount();
    const patience = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
    const response = await verify(account, code);
    const waits = [...patience.mock.calls];
    patience.mockRestore();
    expect([response.status, response.body]).toMatchObject([200, { success: true }]);
    expect(waits).toEqual([[3_000]]);
    expect(await dueAlert(account)).toMatchObject({ attempts: 1 });
  });
});

describe('a crash after the transaction', () => {
  test('before the mail leaves the alert to the timer', async () => {
    const { account, code } = await quarantinedAccount();
    await killedAtTheMail(() => verify(account, code));
    expect(await shownDevice(account)).toMatchObject({ is_verified: true });
    expect(await stored.alerts(account.email)).toHaveLength(1);
    vi.setSystemTime(start + 5 * minuteMs);
    await runTimer();
    expect(await alertsTo(account.email)).toHaveLength(1);
  });
});

describe('when the answers of SES are lost', () => {
  test('an alert is sent three times at worst, five minutes and an hour apart, and is then given up', async () => {
    const { account, code } = await quarantinedAccount();
    const fault = loseMailAnswers();
    expect((await verify(account, code)).status).toBe(200);
    const counts: number[] = [];
    for (const minutes of [5, 60, 65, 120, 125, 4_400]) {
      vi.setSystemTime(start + minutes * minuteMs - 1);
      await runTimer();
      vi.setSystemTime(start + minutes * minuteMs);
      await runTimer();
      counts.push((await alertsTo(account.email)).length);
    }
    fault.restore();
    expect(counts).toEqual([2, 2, 3, 3, 3, 3]);
    expect(await stored.alerts(account.email)).toEqual([]);
  });

  test('a refusal is not counted as a copy', async () => {
    const account = await trustWhile(() => throttled);
    expect(await dueAlert(account)).toMatchObject({ attempts: 1, possibleCopies: 0 });
    const fault = loseMailAnswers();
    vi.setSystemTime(start + minuteMs);
    await runTimer().finally(fault.restore);
    expect(await dueAlert(account)).toMatchObject({ attempts: 2, possibleCopies: 1 });
  });
});
