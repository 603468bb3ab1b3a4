import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import { call } from '../../../support/call.ts';
import * as accounts from '../../../support/devices/accounts.ts';

const start = Date.parse('2026-03-04T10:00:00Z');
const revoke = ({ userId, deviceId }: accounts.Account) =>
  call('devices.revoke', { query: { userId, deviceHash: deviceId } });

/** Brings a device into each state. */
const states: Record<string, () => Promise<accounts.Account>> = {
  unknown: async () => accounts.newAccount(),
  quarantined: async () => (await accounts.quarantinedAccount()).account,
  'quarantined too long ago': async () => {
    const { account } = await accounts.quarantinedAccount();
    vi.setSystemTime(start + 7 * dayMs);
    return account;
  },
  trusted: () => accounts.trustedAccount(),
  revoked: async () => {
    const account = await accounts.trustedAccount();
    await revoke(account);
    return account;
  },
};

const events: Record<string, (account: accounts.Account) => Promise<unknown>> = {
  'device-check': async (account) => (await account.checkIn()).body.verified,
  'a right code': async (account) => (await account.verify(await accounts.requestCode(account.email))).status,
  'a wrong code': async (account) =>
    (await account.verify(accounts.wrongCode(await accounts.requestCode(account.email)))).status,
  revocation: async (account) => (await revoke(account)).status,
};

/** For every state and event: the response, and the state of the device in the list. */
const table: [string, string, unknown, 'absent' | 'quarantined' | 'trusted'][] = [
  ['unknown', 'device-check', false, 'quarantined'],
  ['unknown', 'a right code', 400, 'absent'],
  ['unknown', 'a wrong code', 400, 'absent'],
  ['unknown', 'revocation', 200, 'absent'],
  ['quarantined', 'device-check', false, 'quarantined'],
  ['quarantined', 'a right code', 200, 'trusted'],
  ['quarantined', 'a wrong code', 400, 'quarantined'],
  ['quarantined', 'revocation', 200, 'absent'],
  ['quarantined too long ago', 'device-check', false, 'quarantined'],
  ['quarantined too long ago', 'a right code', 400, 'absent'],
  ['quarantined too long ago', 'a wrong code', 400, 'absent'],
  ['quarantined too long ago', 'revocation', 200, 'absent'],
  ['trusted', 'device-check', true, 'trusted'],
  ['trusted', 'a right code', 200, 'trusted'],
  ['trusted', 'a wrong code', 400, 'trusted'],
  ['trusted', 'revocation', 200, 'absent'],
  ['revoked', 'device-check', false, 'quarantined'],
  ['revoked', 'a right code', 400, 'absent'],
  ['revoked', 'a wrong code', 400, 'absent'],
  ['revoked', 'revocation', 200, 'absent'],
];

describe('every state and event', () => {
  test('is in the table once', () => {
    const all = Object.keys(states).flatMap((state) => Object.keys(events).map((event) => [state, event]));
    expect(table.map(([state, event]) => [state, event])).toEqual(all);
  });

  test.each(table)(
    'a device that is %s gets %s: the response is %s and the device is then %s',
    async (state, event, response, after) => {
      vi.useFakeTimers({ toFake: ['Date'], now: start });
      const account = (await states[state]?.()) ?? accounts.newAccount();
      expect(await events[event]?.(account)).toBe(response);
      const shown = await account.shownDevice();
      const stateNow = shown?.is_verified ? 'trusted' : 'quarantined';
      expect(shown === undefined ? 'absent' : stateNow).toBe(after);
    },
  );
});
