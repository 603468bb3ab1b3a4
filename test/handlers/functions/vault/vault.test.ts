/** The story of a vault: read, replaced, in conflict, and the errors of both endpoints. */

import { randomBytes, randomUUID } from 'node:crypto';
import { call, freshAddress } from '../../../support/call.ts';
import {
  type Account,
  newAccount,
  trustedAccount,
  vaultAccount,
  vaultPayload,
} from '../../../support/devices/accounts.ts';
import { failTable, roundTrips } from '../../../support/faults.ts';

const conflict = (version: number) => ({ error: 'Vault conflict', details: { version } });
const blob = () => randomBytes(24).toString('base64');
const startMs = Date.parse('2026-03-01T10:00:00.123Z');

/** A vault at version 3, which no test changes. */
let account: Account;
let content: object;
beforeAll(async () => {
  account = await vaultAccount();
  for (const version of [1, 2]) await account.writeVault({ data_blob: blob(), version });
  content = (await account.readVault()).body;
});

describe('POST /api/vault', () => {
  test('counts writes in version, from 1, and answers with the time that a read returns', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: startMs });
    const writer = await trustedAccount();
    for (let version = 0; version < 3; version += 1) {
      vi.setSystemTime(startMs + version);
      const payload = { data_blob: blob(), iv: randomBytes(12).toString('base64') };
      const written = await writer.writeVault({ ...payload, version });
      const updated_at = new Date(startMs + version).toISOString();
      expect([written.status, written.body]).toEqual([
        200,
        { success: true, version: version + 1, updated_at },
      ]);
      vi.setSystemTime(startMs + 60_000);
      const { status, body } = await writer.readVault();
      expect([status, body]).toEqual([200, { ...payload, version: version + 1, updated_at }]);
    }
  });

  test('responds to any other version with 409 and the current one, and keeps the vault', async () => {
    for (const version of [undefined, 0, 2, 4, Number.MAX_SAFE_INTEGER]) {
      const response = await account.writeVault({ version, data_blob: blob() });
      expect([response.status, response.body]).toEqual([409, conflict(3)]);
    }
    expect((await account.readVault()).body).toEqual(content);
  });

  test('responds to any version of a missing vault with 409 and version 0, and creates none', async () => {
    const newcomer = await trustedAccount();
    expect((await newcomer.writeVault({ version: 1 })).body).toEqual(conflict(0));
    const missing = await newcomer.readVault();
    expect([missing.status, missing.body]).toEqual([404, { error: 'Vault not found' }]);
  });

  test.each<[string, unknown[]]>([
    ['version', [-1, 1.5]],
    ['iv', ['', Buffer.alloc(65).toString('base64')]],
    ['new_auth_hash', ['', 'f'.repeat(63), 'F'.repeat(64), null]],
  ])('refuses each wrong %s with 400 and the name of the field', async (field, values) => {
    for (const value of values) {
      const response = await account.writeVault({ version: 3, [field]: value });
      expect([response.status, response.body]).toEqual([
        400,
        { error: 'Invalid request data', details: { [field]: expect.any(String) } },
      ]);
    }
    expect((await account.readVault()).body).toEqual(content);
  });

  test('a userId is used verbatim: each spelling has a vault of its own', async () => {
    for (const altered of [`${account.userId} `, `${account.userId}#HEAD`]) {
      const other = await trustedAccount(newAccount({ userId: altered }));
      expect((await other.readVault()).status).toBe(404);
      expect((await other.writeVault()).body.version).toBe(1);
    }
    const longest = await trustedAccount(newAccount({ userId: '字'.repeat(92) + randomUUID() }));
    expect((await longest.writeVault()).status).toBe(200);
    expect((await longest.readVault()).body).toMatchObject(vaultPayload);
    expect((await account.readVault()).body).toEqual(content);
  });
});

describe('a repeated identical write', () => {
  test('gets the exact response of the first, and is written once, also when it creates the vault', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: startMs });
    const writer = await trustedAccount();
    for (const version of [0, 1]) {
      const write = { data_blob: blob(), version };
      const first = await writer.writeVault(write);
      expect(first.status).toBe(200);
      vi.setSystemTime(Date.now() + 5_000);
      const again = await writer.writeVault(write);
      expect([again.status, again.text]).toEqual([200, first.text]);
    }
    expect((await writer.readVault()).body.version).toBe(2);
  });

  test('gets 409 with another blob, iv or spelling of the same bytes, because it is a different write', async () => {
    const writer = await vaultAccount();
    const write = { data_blob: 'QQ==', iv: vaultPayload.iv, version: 1 };
    expect((await writer.writeVault(write)).status).toBe(200);
    for (const other of [{ data_blob: 'AAAA' }, { iv: 'AAAA' }, { data_blob: 'QR==' }]) {
      const response = await writer.writeVault({ ...write, ...other });
      expect([response.status, response.body]).toEqual([409, conflict(2)]);
    }
    expect((await writer.readVault()).body).toMatchObject({ data_blob: 'QQ==', iv: vaultPayload.iv });
  });
});

test('GET /api/vault reads everything with strong consistency, so that recent writes and revocations count', async () => {
  const inputs: object[] = [];
  const watch = failTable((command, _, input) => {
    if (command === 'GetItemCommand') inputs.push(input);
    return undefined;
  });
  await account.readVault().finally(watch.restore);
  expect(inputs).toHaveLength(7);
  for (const input of inputs) expect(input).toMatchObject({ ConsistentRead: true });
});

describe('the first of several errors is the response', () => {
  const wrong = 'f'.repeat(64);
  const invalid = [400, 'Invalid request data'];
  const notVerified = [403, 'Device not verified'];
  const locked = [429, 'Too many failed attempts. Try again later.'];
  const unproven = [401, 'Invalid authHash or expired session'];
  const stranger = { 'x-device-id': 'client-stranger', 'x-auth-hash': wrong };
  const errorOf = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body.error];

  test('an invalid request, an untrusted device, a locked address, a wrong proof, a conflict, in this order', async () => {
    const owner = await vaultAccount();
    const sourceIp = freshAddress();
    for (let i = 0; i < 10; i += 1) await owner.with({ authHash: wrong }).readVault({ sourceIp });
    const body = { userId: owner.userId, ...vaultPayload, version: 7 };
    const write = (headers: Record<string, string>, more: object = {}) =>
      call('vault.write', { headers, body, sourceIp, ...more });
    expect(errorOf(await write(stranger, { body: { ...body, iv: 5 } }))).toEqual(invalid);
    expect(errorOf(await write(stranger))).toEqual(notVerified);
    for (const authHash of [owner.authHash, wrong, ''])
      expect(errorOf(await write(owner.with({ authHash }).proof))).toEqual(locked);
    const elsewhere = { sourceIp: freshAddress() };
    expect(errorOf(await write(owner.with({ authHash: wrong }).proof, elsewhere))).toEqual(unproven);
    expect((await write(owner.proof, elsewhere)).status).toBe(409);
    expect(errorOf(await call('vault.read', { headers: stranger, query: {} }))).toEqual(invalid);
    expect(errorOf(await (await trustedAccount()).with({ authHash: 'wrong' }).readVault())).toEqual(unproven);
  });

  test('403 and 401 do not reveal whether a vault exists', async () => {
    const without = await trustedAccount();
    const strange = newAccount();
    const seen = async ({ userId }: Account) => (await strange.with({ userId }).readVault()).text;
    expect(await seen(account)).toBe(await seen(without));
    // Neither do the calls to the table.
    const trips = [
      await roundTrips(() => account.with({ deviceId: 'client-stranger' }).readVault()),
      await roundTrips(() => account.with({ authHash: 'wrong' }).readVault()),
      await roundTrips(() => without.readVault()),
    ];
    expect(trips).toEqual(Array(3).fill(trips[0]));
    expect(trips[0]).toHaveLength(1);
  });
});
