/** Attacks on what a request costs: removing devices over and over. */

import { expect, test } from 'vitest';
import { call, freshAddress } from '../../../../support/call.ts';
import { shownDevice, trustedAccount } from '../../../../support/devices/accounts.ts';
import { countCalls, roundTrips } from '../../../../support/faults.ts';

const revoke = (deviceHash: string, sourceIp: string, userId = 'nobody') =>
  call('devices.revoke', { query: { userId, deviceHash }, sourceIp });

test('removals from one address are limited to 60 a minute, and a flood causes no call to the table', async () => {
  const sourceIp = freshAddress();
  const answers = await Promise.all(Array.from({ length: 80 }, (_, i) => revoke(`client-${i}`, sourceIp)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
  const refused = await revoke('client-x', sourceIp);
  expect([refused.status, refused.body]).toEqual([429, { error: 'Too many requests' }]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  const account = await trustedAccount();
  const flood = async () => {
    for (let i = 0; i < 20; i += 1) await revoke(account.deviceId, sourceIp, account.userId);
  };
  expect(await countCalls(flood)).toEqual([]);
  expect(await shownDevice(account)).toMatchObject({ is_verified: true });
  expect((await revoke(account.deviceId, freshAddress(), account.userId)).status).toBe(200);
});

test('the limit takes no further round trip', async () => {
  expect(await roundTrips(() => revoke('client-x', freshAddress()))).toEqual([
    ['TransactWriteItemsCommand', 'UpdateItemCommand'],
  ]);
});
