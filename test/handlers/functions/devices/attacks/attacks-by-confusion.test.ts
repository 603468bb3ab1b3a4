import { describe, expect, test } from 'vitest';
import type { CodePurpose } from '../../../../../functions/shared/auth/one-time-code.ts';
import { type Answered, call } from '../../../../support/call.ts';
import {
  type Account,
  anotherDevice,
  checkIn,
  newAccount,
  quarantinedAccount,
  requestCode,
  stored,
  trustedAccount,
  verification,
  verify,
  wrongCode,
} from '../../../../support/devices/accounts.ts';
import { store, verifiedId } from '../../../../support/devices/codes.ts';
import { alertsTo } from '../../../../support/mail/mailbox.ts';

const refused = { error: 'Invalid or expired code' };
const isTrusted = async (account: Account) => (await stored.device(account))?.isVerified === true;
describe('a code used for something else', () => {
  test("does not trust a device of the victim when it was sent to the attacker's address", async () => {
    const victim = await trustedAccount();
    const attacker = anotherDevice({ ...victim, email: newAccount().email });
    const { code } = await quarantinedAccount(attacker);
    expect((await verify(attacker, code)).body).toEqual(refused);
    expect((await verify({ ...attacker, email: victim.email }, code)).body).toEqual(refused);
    expect(await isTrusted(attacker)).toBe(false);
    expect(await stored.user(victim)).toMatchObject({ email: victim.email });
    expect(await alertsTo(attacker.email)).toEqual([]);
    expect(await alertsTo(victim.email)).toHaveLength(1);
  });

  test('does not trust a device that was never checked', async () => {
    const account = newAccount();
    expect((await verify(account, await requestCode(account.email))).body).toEqual(refused);
    expect(await stored.device(account)).toBeUndefined();
    expect(await stored.user(account)).toBeUndefined();
  });

  test('does not work for another purpose', async () => {
    const { account, code } = await quarantinedAccount();
    const elsewhere = { purpose: 'consent' as CodePurpose, email: account.email };
    const other = wrongCode(code);
    expect(await store(elsewhere, { code: other, codeId: 'another' }, Date.now())).toEqual(elsewhere);
    expect((await verify(account, other)).body).toEqual(refused);
    expect(await verifiedId(elsewhere, code, Date.now())).toBeUndefined();
    expect(await verifiedId(elsewhere, other, Date.now())).toBe('another');
    expect((await verify(account, code)).status).toBe(200);
  });

  test('trusts a shared device for one user and leaves it quarantined for the other', async () => {
    const one = await trustedAccount();
    const two = { ...newAccount(), uuid: one.uuid, deviceId: one.deviceId };
    expect((await checkIn(two)).body.verified).toBe(false);
    expect(await isTrusted(two)).toBe(false);
    expect((await checkIn(one)).body.verified).toBe(true);
  });

  test('cannot be replayed, whether the device was revoked or not', async () => {
    const { account, code } = await quarantinedAccount();
    const request = verification(account, code);
    expect((await call('devices.trust', request)).status).toBe(200);
    expect((await call('devices.trust', request)).body).toEqual(refused);
    await call('devices.revoke', { query: { userId: account.userId, deviceHash: account.deviceId } });
    await checkIn(account);
    expect((await call('devices.trust', request)).body).toEqual(refused);
    expect(await isTrusted(account)).toBe(false);
  });
});

describe('userIds with odd characters', () => {
  test('have separate devices with odd ids', async () => {
    const account = newAccount();
    const uuids = ['1', '1#', '%31', 'x'.repeat(128), '"', 'client-1', 'CLIENT-1'];
    for (const uuid of uuids) await checkIn({ ...account, uuid });
    const code = await requestCode(account.email);
    expect((await verify({ ...account, deviceId: 'client-1' }, code)).status).toBe(200);
    const { devices } = (await call('devices.list', { query: { userId: account.userId } })).body;
    expect(devices).toHaveLength(uuids.length);
    const trusted = devices.filter((device: Answered['body']) => device.is_verified);
    expect(trusted.map((device: Answered['body']) => device.device_fingerprint_hash)).toEqual(['client-1']);
  });
});
