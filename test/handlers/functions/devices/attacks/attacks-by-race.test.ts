import { describe, expect, test } from 'vitest';
import { type Answered, call } from '../../../../support/call.ts';
import { quarantinedAccount, stored, verify } from '../../../../support/devices/accounts.ts';
import { failTable } from '../../../../support/faults.ts';
import { alertsTo, codeSentTo } from '../../../../support/mail/mailbox.ts';

const refused = { error: 'Invalid or expired code' };
const withStatus = (responses: Answered[], status: number) =>
  responses.filter((response) => response.status === status);
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
});
