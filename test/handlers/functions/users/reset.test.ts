import { randomUUID } from 'node:crypto';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { call, newSecret, newUser } from '../../../support/call.ts';
import {
  type Account,
  newAccount,
  newProof,
  trustedAccount,
  vaultAccount,
} from '../../../support/devices/accounts.ts';
import { failTable } from '../../../support/faults.ts';
import { asOperator, profile } from '../../../support/samples/operator.ts';

/** A vault with two further parts. */
const large = { data_blob: Buffer.alloc(800_000, 7).toString('base64') };

const reset = async ({ userId }: Pick<Account, 'userId'>, body: object, key?: string) =>
  call('users.reset', await asOperator({ params: { userId }, body }, key));

const historyOf = async ({ userId }: Pick<Account, 'userId'>, query: Record<string, string> = {}) =>
  call('users.history', await asOperator({ params: { userId }, query }));

const storedVault = async ({ userId }: Account) =>
  (
    await Promise.all([
      getItem(keys.vault(userId)),
      ...[1, 2, 3].map((n) => getItem(keys.vaultPart(userId, n))),
    ])
  ).filter((item) => item !== undefined);

test('a reset of the devices ends every trusted device, and leaves the proof of the master password and the vault', async () => {
  const account = await vaultAccount();
  const second = await trustedAccount(account.anotherDevice());
  const response = await reset(account, { devices: true });
  expect([response.status, response.body]).toEqual([
    200,
    {
      user: { userId: account.userId, email: account.email, verified: false, revision: 0 },
      reset: { devices: true, proof: false, vault: false },
    },
  ]);
  for (const one of [account, second]) {
    expect((await one.checkIn()).body.verified).toBe(false);
    expect((await one.readVault()).status).toBe(403);
  }
  await trustedAccount(account);
  expect((await account.readVault()).body.version).toBe(1);
  // Under the new stamp, so that another proof is wrong and replaces nothing.
  const stranger = account.with({ authHash: newProof });
  expect((await stranger.readVault()).status).toBe(401);
  expect((await stranger.writeVault()).status).toBe(401);
});

test('a reset of the proof lets a trusted device set another one with its next vault, and refuses the former one', async () => {
  const account = await vaultAccount(large);
  expect((await reset(account, { proof: true })).body.reset).toEqual({
    devices: false,
    proof: true,
    vault: false,
  });
  expect((await account.checkIn()).body.verified).toBe(true);
  const renewed = account.with({ authHash: newProof });
  expect((await renewed.writeVault()).body.version).toBe(1);
  expect((await renewed.readVault()).body.version).toBe(1);
  expect((await account.readVault()).status).toBe(401);
  expect(await storedVault(account)).toHaveLength(1);
});

describe('a reset of the vault', () => {
  test('removes all of it with its proof, and the next vault is a new one', async () => {
    const account = await vaultAccount(large);
    expect(await storedVault(account)).toHaveLength(3);
    expect((await reset(account, { vault: true })).body.reset).toEqual({
      devices: false,
      proof: true,
      vault: true,
    });
    expect(await storedVault(account)).toEqual([]);
    expect(await getItem(keys.proof(account.userId))).toBeUndefined();
    expect((await account.readVault()).status).toBe(404);
    const renewed = account.with({ authHash: newProof });
    expect((await renewed.writeVault()).body.version).toBe(1);
    expect((await renewed.readVault()).status).toBe(200);
  });

  test('of the largest vault is one transaction, which also ends devices and proof', async () => {
    const account = await vaultAccount({ data_blob: Buffer.alloc(3 * 1024 * 1024, 7).toString('base64') });
    const response = await reset(account, { devices: true, proof: true, vault: true });
    expect([response.status, await storedVault(account)]).toEqual([200, []]);
    expect((await account.checkIn()).body.verified).toBe(false);
  });
});

describe('a reset', () => {
  test('of an unknown user is a 404, also of one whose device was never verified', async () => {
    const unknown = newAccount();
    await unknown.checkIn();
    expect((await reset(unknown, { devices: true })).body.error).toBe('not_found');
    expect((await historyOf(unknown)).body.error).toBe('not_found');
    expect(await getItem(keys.user(unknown.userId))).toBeUndefined();
  });

  test('that is killed before any of its calls ends nothing, and can be repeated', async () => {
    const account = await vaultAccount();
    const request = await asOperator({
      params: { userId: account.userId },
      body: { devices: true, vault: true },
    });
    for (let at = 0; ; at += 1) {
      const fault = failTable((_, index) => (index === at ? new Error('killed') : undefined));
      const response = await call('users.reset', request).finally(() => fault.restore());
      if (response.status === 200) break;
      expect((await account.readVault()).status).toBe(200);
      expect((await historyOf(account)).body.history).toEqual([]);
    }
    expect(await storedVault(account)).toEqual([]);
  });
});

test('the history of a user says what was done, when, by which key and why, the latest first', async () => {
  const { userId, email } = await newUser();
  const { secret, keyId } = await newSecret('operator_key', { name: 'Sam', scopes: ['support'] });
  const reason = 'The phone was stolen.\nCalled back.';
  await reset({ userId }, { devices: true, reason }, secret);
  const body = { email: `${randomUUID()}@example.com`, name: 'Ann', status: 'active', verified: true };
  await call('users.upsert', await asOperator({ params: { userId }, body }, secret));
  const by = { kind: 'operator', id: keyId, name: 'Sam', from: expect.stringMatching(/^10\./) };
  const object = { kind: 'user', id: userId };
  const { history, ...rest } = (await historyOf({ userId })).body;
  expect(rest).toEqual({});
  expect(history).toEqual([
    {
      action: 'user.email_changed',
      object,
      revision: expect.any(Number),
      at: expect.any(String),
      by,
      before: { email },
    },
    {
      action: 'user.reset',
      object,
      revision: expect.any(Number),
      at: expect.any(String),
      by,
      reason,
      reset: { devices: true, proof: false, vault: false },
    },
  ]);
});

/** The owner of a user id under which a stranger verifies first, with a proof of their own. */
const ownerOf = ({ userId }: Account): Account => newAccount({ userId });

/** An operator enters the owner. */
async function enter({ userId, email }: Account): Promise<void> {
  const request = await asOperator({ params: { userId }, body: { ...profile(), email } });
  expect((await call('users.upsert', request)).status).toBe(200);
}

/** A stranger whose device is trusted. */
const newStranger = () => trustedAccount();

async function expectLeftOut(stranger: Account): Promise<void> {
  expect((await stranger.checkIn()).body.verified).toBe(false);
  const refused = [await stranger.readVault(), await stranger.writeVault({ version: 1 })];
  expect(refused.map(({ status }) => status)).toEqual([403, 403]);
}

/** The owner verifies a device, stores a vault and reads it; whatever a stranger left is neither in the way nor shown. */
async function expectToOwn(owner: Account): Promise<void> {
  await trustedAccount(owner);
  const mine = { data_blob: 'b3duZXI=' };
  const written = await owner.writeVault(mine);
  expect([written.status, written.body.version]).toEqual([200, 1]);
  expect((await owner.readVault()).body).toMatchObject({ ...mine, version: 1 });
  expect((await owner.with({ authHash: newProof }).readVault()).status).toBe(401);
}

test('a stranger who verified first under a user id loses device, proof and vault when an operator enters the owner', async () => {
  const stranger = await newStranger();
  expect((await stranger.writeVault()).status).toBe(200);
  expect((await stranger.readVault()).status).toBe(200);
  const owner = ownerOf(stranger);
  await enter(owner);
  await expectLeftOut(stranger);
  await expectToOwn(owner);
  await expectLeftOut(stranger);
  // The device of the stranger with the proof of the owner, and the other way round.
  expect((await stranger.with({ authHash: owner.authHash }).readVault()).status).toBe(403);
  expect((await owner.with({ authHash: stranger.authHash }).readVault()).status).toBe(401);
  const { body } = await call('devices.list', { query: { userId: owner.userId } });
  const trusted = body.devices.filter((one: { is_verified: boolean }) => one.is_verified);
  expect(trusted).toHaveLength(1);
});
