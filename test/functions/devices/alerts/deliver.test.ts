import { describe, expect, test, vi } from 'vitest';
import { handler as runTimer } from '../../../../functions/devices/send-alerts.ts';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { updateItem } from '../../../../functions/shared/table/table.ts';
import {
  checkIn,
  newAccount,
  quarantinedAccount,
  requestCode,
  shownDevice,
  stored,
  verification,
  verify,
} from '../../../support/accounts.ts';
import { aloneFrom, dueAlert, killedAtTheMail, throttled, trustWhile } from '../../../support/alerts.ts';
import { call } from '../../../support/call.ts';
import { failTable } from '../../../support/faults.ts';
import { alertsTo } from '../../../support/mails.ts';

const start = Date.parse('2026-03-07T10:00:00Z');
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

aloneFrom(start);

describe('the New Device Login mail', () => {
  test('goes out with the answer, exactly one, to the address of the user, and nothing is left due', async () => {
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
      // Where the device was checked in: whoever verifies may sit elsewhere.
      for (const fact of ['Chrome on Windows', sourceIp, 'Location', 'Unknown', '7 March 2026, 10:00 UTC'])
        expect(alerts[0]?.[part]).toContain(fact);
      expect(alerts[0]?.[part]).not.toContain(code);
    }
    expect(await stored.alerts(account.email)).toEqual([]);
    await runTimer();
    expect(await alertsTo(account.email)).toHaveLength(1);
  });

  test('says city, country and network of the device, as they were when it was checked in', async () => {
    const account = newAccount();
    await checkIn(account);
    await updateItem(keys.quarantined(account.userId, account.deviceId), {
      UpdateExpression: 'SET #location = :location, isp = :isp',
      ConditionExpression: 'isVerified = :false',
      ExpressionAttributeNames: { '#location': 'location' },
      ExpressionAttributeValues: {
        ':location': 'Freiburg, Germany',
        ':isp': 'Example Telekom AG',
        ':false': false,
      },
    });
    await verify(account, await requestCode(account.email));
    const [alert] = await alertsTo(account.email);
    expect(alert?.text).toContain('Freiburg, Germany');
    expect(alert?.text).toContain('Example Telekom AG');
  });

  test('links to the page of devices where the deployment has one', async () => {
    process.env.DEVICES_PAGE = 'https://vault.example/devices';
    try {
      const account = await trustWhile(() => undefined);
      expect((await alertsTo(account.email))[0]?.text).toContain('https://vault.example/devices');
    } finally {
      delete process.env.DEVICES_PAGE;
    }
  });

  test('is sent for no refused code', async () => {
    const { account } = await quarantinedAccount();
    await verify(account, '000000');
    expect(await alertsTo(account.email)).toEqual([]);
    expect(await stored.alerts(account.email)).toEqual([]);
  });
});

describe('SES fails when a code is verified', () => {
  test('still 200 and trusted; the alert stays due, and is nobody else’s for a minute', async () => {
    const account = await trustWhile(() => throttled);
    expect(await shownDevice(account)).toMatchObject({ is_verified: true });
    expect(await stored.alerts(account.email)).toEqual([
      expect.objectContaining({
        to: account.email,
        deviceName: 'Chrome on Windows',
        trustedAtMs: start,
        attempts: 1,
        leasedUntilMs: start + minuteMs,
      }),
    ]);
    expect(await alertsTo(account.email)).toEqual([]);
  });

  test('the timer sends it once the lease is over, not before, and then it is gone', async () => {
    const account = await trustWhile(() => throttled);
    vi.setSystemTime(start + minuteMs - 1);
    await runTimer();
    expect(await alertsTo(account.email)).toEqual([]);
    vi.setSystemTime(start + minuteMs);
    await runTimer();
    const alerts = await alertsTo(account.email);
    expect(alerts).toHaveLength(1);
    // When it happened, not when the mail went out.
    expect(alerts[0]?.text).toContain('7 March 2026, 10:00 UTC');
    expect(await stored.alerts(account.email)).toEqual([]);
    vi.setSystemTime(start + 24 * hourMs);
    await runTimer();
    expect(await alertsTo(account.email)).toHaveLength(1);
  });

  test('it is sent even if the device was revoked in the meantime: the user still has to know', async () => {
    const account = await trustWhile(() => throttled);
    await call('devices.revoke', { query: { userId: account.userId, deviceHash: account.deviceId } });
    vi.setSystemTime(start + minuteMs);
    await runTimer();
    expect(await alertsTo(account.email)).toHaveLength(1);
  });

  test('an SES that does not answer within three seconds keeps nobody waiting longer, and leaves the alert due', async () => {
    const { account, code } = await quarantinedAccount();
    const patience = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
    const answer = await verify(account, code);
    const waits = [...patience.mock.calls];
    patience.mockRestore();
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect(waits).toEqual([[3_000]]);
    expect(await dueAlert(account)).toMatchObject({ attempts: 1 });
  });
});

describe('a crash right after the transaction', () => {
  test('at the mail: the alert is left and the timer sends it', async () => {
    const { account, code } = await quarantinedAccount();
    await killedAtTheMail(() => verify(account, code));
    expect(await shownDevice(account)).toMatchObject({ is_verified: true });
    expect(await stored.alerts(account.email)).toHaveLength(1);
    vi.setSystemTime(start + minuteMs);
    await runTimer();
    expect(await alertsTo(account.email)).toHaveLength(1);
  });

  test('at the removal: nothing is lost; a mail whose removal failed is sent again, at worst', async () => {
    const { account, code } = await quarantinedAccount();
    const fault = failTable((command) => (command === 'DeleteItemCommand' ? new Error('lost') : undefined));
    expect((await verify(account, code)).status).toBe(200);
    fault.restore();
    expect(await alertsTo(account.email)).toHaveLength(1);
    vi.setSystemTime(start + minuteMs);
    await runTimer();
    expect(await alertsTo(account.email)).toHaveLength(2);
    expect(await stored.alerts(account.email)).toEqual([]);
  });

  test('of the timer, at the mail: the next run sends it when that lease is over', async () => {
    const account = await trustWhile(() => throttled);
    vi.setSystemTime(start + minuteMs);
    await killedAtTheMail(() => runTimer());
    await runTimer();
    expect(await alertsTo(account.email)).toEqual([]);
    vi.setSystemTime(start + 3 * minuteMs);
    await runTimer();
    expect(await alertsTo(account.email)).toHaveLength(1);
  });
});
