import { describe, expect, test } from 'vitest';
import { type Answered, call } from '../../../../support/call.ts';
import {
  type Account,
  anotherDevice,
  checkIn,
  newAccount,
  quarantinedAccount,
  requestCode,
  stored,
  verify,
} from '../../../../support/devices/accounts.ts';
import { failTable } from '../../../../support/faults.ts';
import { alertsTo, codeSentTo } from '../../../../support/mail/mailbox.ts';

const refused = { error: 'Invalid or expired code' };
const withStatus = (responses: Answered[], status: number) =>
  responses.filter((response) => response.status === status);
const isTrusted = async (account: Account) => (await stored.device(account))?.isVerified === true;
describe('concurrent requests', () => {
  test('yield exactly one 200 and one alert for 20 verifications with the correct code', async () => {
    for (let round = 0; round < 2; round += 1) {
      const { account, code } = await quarantinedAccount();
      const responses = await Promise.all(Array.from({ length: 20 }, () => verify(account, code)));
      expect(withStatus(responses, 200)).toHaveLength(1);
      expect(withStatus(responses, 400)).toHaveLength(19);
      expect(await alertsTo(account.email)).toHaveLength(1);
      expect(await stored.alerts(account.email)).toEqual([]);
    }
  });

  test('trust exactly one of four devices with the same code', async () => {
    for (let round = 0; round < 2; round += 1) {
      const first = newAccount();
      const devices = [first, anotherDevice(first), anotherDevice(first), anotherDevice(first)];
      await Promise.all(devices.map((device) => checkIn(device)));
      const code = await requestCode(first.email);
      const responses = await Promise.all(devices.map((device) => verify(device, code)));
      expect(withStatus(responses, 200)).toHaveLength(1);
      expect((await Promise.all(devices.map(isTrusted))).filter(Boolean)).toHaveLength(1);
    }
  });

  test('never leave both codes usable or get a 500 when a code is verified while the next one is sent', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { account, code: old } = await quarantinedAccount();
      const other = anotherDevice(account);
      await checkIn(other);
      const send = () => call('devices.code-send', { body: { email: account.email } });
      const [verified, sent] = await Promise.all(
        round % 2 === 0 ? [verify(account, old), send()] : [send().then(() => verify(account, old)), send()],
      );
      expect([200, 400]).toContain(verified.status);
      expect(sent.status).toBe(200);
      expect(await isTrusted(account)).toBe(verified.status === 200);
      expect((await verify(other, old)).status).toBe(400);
      const latest = await requestCode(account.email);
      expect((await verify(other, latest)).status).toBe(200);
    }
  });

  test.each([0, 4, 7])(
    'void the old code when a new one is sent at call %i of a verification',
    async (at) => {
      const { account, code: old } = await quarantinedAccount();
      let isSent = false;
      const watch = failTable(async (_, index) => {
        if (index !== at || isSent) return undefined;
        isSent = true;
        await call('devices.code-send', { body: { email: account.email } });
        return undefined;
      });
      const response = await verify(account, old);
      watch.restore();
      expect([response.status, response.body]).toEqual([400, refused]);
      expect((await verify(account, await codeSentTo(account.email))).status).toBe(200);
    },
  );

  test('consume a code that is verified while its successor is stored, and keep the successor', async () => {
    const { account, code: old } = await quarantinedAccount();
    const other = anotherDevice(account);
    await checkIn(other);
    let status: number | undefined;
    const watch = failTable(async (_, index) => {
      if (index === 2) status = (await verify(account, old)).status;
      return undefined;
    });
    await call('devices.code-send', { body: { email: account.email } });
    watch.restore();
    expect(status).toBe(200);
    expect((await verify(other, old)).status).toBe(400);
    expect((await verify(other, await codeSentTo(account.email))).status).toBe(200);
  });
});
