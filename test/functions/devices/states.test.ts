import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type Account,
  checkIn,
  newAccount,
  proofOf,
  quarantinedAccount,
  readVault,
  requestCode,
  shownDevice,
  stored,
  trustedAccount,
  verify,
  writeVault,
  wrongCode,
} from '../../support/accounts.ts';
import { call } from '../../support/call.ts';
import { failTable } from '../../support/faults.ts';
import { alertsTo } from '../../support/mails.ts';

const start = Date.parse('2026-03-04T10:00:00Z');
const dayMs = 86_400_000;
const revoke = ({ userId, deviceId }: Account) =>
  call('devices.revoke', { query: { userId, deviceHash: deviceId } });

/** How a device comes into each state. */
const states: Record<string, () => Promise<Account>> = {
  unknown: async () => newAccount(),
  quarantined: async () => (await quarantinedAccount()).account,
  'quarantined too long ago': async () => {
    const { account } = await quarantinedAccount();
    vi.setSystemTime(start + 7 * dayMs);
    return account;
  },
  trusted: () => trustedAccount(),
  revoked: async () => {
    const account = await trustedAccount();
    await revoke(account);
    return account;
  },
};

const events: Record<string, (account: Account) => Promise<unknown>> = {
  'device-check': async (account) => (await checkIn(account)).body.verified,
  'a right code': async (account) => (await verify(account, await requestCode(account.email))).status,
  'a wrong code': async (account) =>
    (await verify(account, wrongCode(await requestCode(account.email)))).status,
  revocation: async (account) => (await revoke(account)).status,
};

/** Every state and every event: what is answered, and how the list shows the device then. */
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
  ['trusted', 'a right code', 400, 'trusted'],
  ['trusted', 'a wrong code', 400, 'trusted'],
  ['trusted', 'revocation', 200, 'absent'],
  ['revoked', 'device-check', false, 'quarantined'],
  ['revoked', 'a right code', 400, 'absent'],
  ['revoked', 'a wrong code', 400, 'absent'],
  ['revoked', 'revocation', 200, 'absent'],
];

afterEach(() => {
  vi.useRealTimers();
});

describe('every state and event', () => {
  test('stands in the table once', () => {
    const all = Object.keys(states).flatMap((state) => Object.keys(events).map((event) => [state, event]));
    expect(table.map(([state, event]) => [state, event])).toEqual(all);
  });

  test.each(table)('%s, %s: answers %s, then %s', async (state, event, answer, after) => {
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const account = (await states[state]?.()) ?? newAccount();
    expect(await events[event]?.(account)).toBe(answer);
    const shown = await shownDevice(account);
    const present = shown?.is_verified ? 'trusted' : 'quarantined';
    expect(shown === undefined ? 'absent' : present).toBe(after);
  });
});

describe('a verified code, beside trusting the device', () => {
  test('is consumed, and one New Device Login mail is sent', async () => {
    const { account, code } = await quarantinedAccount();
    await verify(account, code);
    expect(await stored.code(account.email)).not.toHaveProperty('codeHash');
    expect(await alertsTo(account.email)).toHaveLength(1);
  });
});

describe('a revoked device', () => {
  test('is locked out at the next vault call, and needs full MFA to come back', async () => {
    const account = await trustedAccount();
    expect((await writeVault(account)).status).toBe(200);
    await revoke(account);
    const locked = await readVault(account);
    expect([locked.status, locked.body]).toEqual([
      403,
      { error: 'Device not verified', details: { deviceId: account.deviceId, requiresMfa: true } },
    ]);
    expect((await checkIn(account)).body).toMatchObject({ verified: false, requiresMfa: true });
    expect((await readVault(account)).status).toBe(403);
    const code = await requestCode(account.email);
    expect((await verify(account, code)).status).toBe(200);
    expect((await readVault(account)).status).toBe(200);
  });

  test('comes back as a new one: nothing of it is kept', async () => {
    const account = await trustedAccount();
    const before = await shownDevice(account);
    await revoke(account);
    await checkIn(account);
    expect((await shownDevice(account))._id).not.toBe(before._id);
  });

  test('a check that was under way when it was revoked does not bring its trust back', async () => {
    for (let round = 0; round < 10; round += 1) {
      const account = await trustedAccount();
      await Promise.all([checkIn(account), revoke(account), checkIn(account)]);
      expect((await shownDevice(account))?.is_verified ?? false).toBe(false);
      expect(
        (await call('vault.read', { headers: proofOf(account), query: { userId: account.userId } })).status,
      ).toBe(403);
    }
  });

  // Two deletes side by side: the trust that is written between them outlives the revocation. One transaction, or the
  // quarantined record first and then the trusted one, leaves no such moment.
  test('a code verified in the middle of a revocation does not outlive it', async () => {
    for (const at of [0, 1]) {
      const { account, code } = await quarantinedAccount();
      const watch = failTable(async (_, index) => {
        if (index !== at) return undefined;
        // What was sent beside is carried out first.
        await setTimeout(20);
        expect([200, 400]).toContain((await verify(account, code)).status);
        return undefined;
      });
      const revoked = await revoke(account).finally(watch.restore);
      expect(revoked.status).toBe(200);
      expect(await stored.devices(account)).toEqual([]);
    }
  });

  test('a code that is being verified while its device is revoked never leaves it trusted after both', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { account, code } = await quarantinedAccount();
      const [verified] = await Promise.all([verify(account, code), revoke(account)]);
      const shown = await shownDevice(account);
      // Revoked last, it is gone; revoked first, there was nothing to trust.
      expect([200, 400]).toContain(verified.status);
      expect(shown).toBeUndefined();
    }
  });
});
