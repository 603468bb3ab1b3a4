import { describe, expect, test } from 'vitest';
import { minuteMs } from '../../../../functions/shared/runtime/duration.ts';
import { call } from '../../../support/call.ts';
import {
  type Account,
  checkIn,
  newAccount,
  newProof,
  quarantinedAccount,
  readVault,
  trustedAccount,
  verify,
  writeVault,
} from '../../../support/devices/accounts.ts';
import { atEveryCall, pausedAt } from '../../../support/pause.ts';
import { asOperator, profile } from '../../../support/samples/operator.ts';
import { bearer, newSecret, newTenant } from '../../../support/tenants.ts';

/** The owner of a user id under which a stranger verifies first, with a proof of their own. */
const ownerOf = ({ userId }: Account): Account => ({ ...newAccount(), userId });

/** An operator enters the owner. */
async function enter({ userId, email }: Account): Promise<void> {
  const request = await asOperator({ params: { userId }, body: { ...profile(), email } });
  expect((await call('operator.user-upsert', request)).status).toBe(200);
}

/** A stranger whose device is trusted. */
const newStranger = () => trustedAccount();

async function expectLeftOut(stranger: Account): Promise<void> {
  expect((await checkIn(stranger)).body.verified).toBe(false);
  const refused = [await readVault(stranger), await writeVault(stranger, { version: 1 })];
  expect(refused.map(({ status }) => status)).toEqual([403, 403]);
}

/** The owner verifies a device, stores a vault and reads it; whatever a stranger left is neither in the way nor shown. */
async function expectToOwn(owner: Account): Promise<void> {
  await trustedAccount(owner);
  const mine = { data_blob: 'b3duZXI=' };
  const written = await writeVault(owner, mine);
  expect([written.status, written.body.version]).toEqual([200, 1]);
  expect((await readVault(owner)).body).toMatchObject({ ...mine, version: 1 });
  expect((await readVault({ ...owner, authHash: newProof })).status).toBe(401);
}

describe('a stranger who verified first under a user id', () => {
  test('loses device, proof and vault when an operator enters the owner', async () => {
    const stranger = await newStranger();
    expect((await writeVault(stranger)).status).toBe(200);
    expect((await readVault(stranger)).status).toBe(200);
    const owner = ownerOf(stranger);
    await enter(owner);
    await expectLeftOut(stranger);
    await expectToOwn(owner);
    await expectLeftOut(stranger);
    // The device of the stranger with the proof of the owner, and the other way round.
    expect((await readVault({ ...stranger, authHash: owner.authHash })).status).toBe(403);
    expect((await readVault({ ...owner, authHash: stranger.authHash })).status).toBe(401);
    const { body } = await call('devices.list', { query: { userId: owner.userId } });
    const trusted = body.devices.filter((one: { is_verified: boolean }) => one.is_verified);
    expect(trusted).toHaveLength(1);
  });

  test('loses the access tokens that they granted', async () => {
    const stranger = await newStranger();
    await writeVault(stranger);
    // The operator entered the address of the stranger by mistake, so that they can sign in.
    await enter(stranger);
    const { applicationId } = await newTenant();
    const token = { applicationId, userId: stranger.userId, scopes: ['vault'] };
    const { secret } = await newSecret('access_token', { ...token, expiresAtMs: Date.now() + 60 * minuteMs });
    const withToken = (account: Account) =>
      call('vault.read', { headers: { ...bearer(secret), 'x-device-id': account.deviceId } });
    expect((await withToken(stranger)).status).toBe(200);
    const owner = ownerOf(stranger);
    await enter(owner);
    expect((await withToken(stranger)).status).toBe(403);
    await expectToOwn(owner);
    expect((await withToken(owner)).status).toBe(401);
  });
});

describe('while an operator enters the owner, before every call to the table,', () => {
  test.each([
    [
      'the stranger verifies a device',
      async () => {
        const { account, code } = await quarantinedAccount();
        return { stranger: account, act: () => verify(account, code) };
      },
    ],
    [
      'the stranger replaces their vault and their proof',
      async () => {
        const stranger = await newStranger();
        await writeVault(stranger);
        return { stranger, act: () => writeVault(stranger, { version: 1, new_auth_hash: newProof }) };
      },
      // The owner also stores their vault before the late write of the stranger goes on, and keeps it.
      expectToOwn,
    ],
  ] as [string, () => Promise<{ stranger: Account; act: () => Promise<unknown> }>, typeof expectToOwn?][])(
    '%s, and is left out',
    async (_, situation, own?: typeof expectToOwn) => {
      const operatorCalls = await atEveryCall(async (at) => {
        const { stranger, act } = await situation();
        const owner = ownerOf(stranger);
        const outcome = await pausedAt(at, () => enter(owner), act);
        if (!outcome.isReached) return outcome;
        await expectLeftOut(stranger);
        await expectToOwn(owner);
        return outcome;
      });
      expect(operatorCalls).toBeGreaterThan(2);
      const strangerCalls = await atEveryCall(async (at) => {
        const { stranger, act } = await situation();
        const owner = ownerOf(stranger);
        const outcome = await pausedAt(at, act, async () => {
          await enter(owner);
          await own?.(owner);
        });
        if (!outcome.isReached) return outcome;
        await expectLeftOut(stranger);
        if (own === undefined) await expectToOwn(owner);
        else expect((await readVault(owner)).body).toMatchObject({ data_blob: 'b3duZXI=', version: 1 });
        return outcome;
      });
      expect(strangerCalls).toBeGreaterThan(3);
    },
    2 * minuteMs,
  );
});
