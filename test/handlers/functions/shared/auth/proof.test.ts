import { createHash, randomBytes } from 'node:crypto';
import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { partition } from '../../../../../functions/shared/contract/keys.ts';
import { queryItems } from '../../../../../functions/shared/table/query.ts';
import { getItem, type Item } from '../../../../../functions/shared/table/table.ts';
import { type Answered, call, putItem } from '../../../../support/call.ts';
import { type Account, quarantinedAccount, trustedAccount } from '../../../../support/devices/accounts.ts';

const unproven = { error: 'Invalid authHash or expired session' };
const untrusted = (deviceId: string) => ({
  error: 'Device not verified',
  details: { deviceId, requiresMfa: true },
});
const newHash = () => randomBytes(32).toString('hex');

async function withVault(account?: Account): Promise<Account> {
  const trusted = await trustedAccount(account);
  await trusted.writeVault();
  return trusted;
}

interface ProofItem {
  salt: Uint8Array;
  hash: Uint8Array;
}

const proofItem = async ({ userId }: Account) =>
  (await getItem(keys.proof(userId))) as (Item & ProofItem) | undefined;

describe('a stored proof', () => {
  test('consists of a salt and a hash, and contains neither the proof nor its plain hash in any encoding', async () => {
    const account = await withVault();
    const item = await proofItem(account);
    expect(Object.keys(item ?? {}).sort()).toEqual(['hash', 'pk', 'salt', 'sk']);
    expect(item?.hash).toHaveLength(32);
    expect(item?.salt).toHaveLength(16);

    const { userId, authHash } = account;
    const raw = Buffer.from(authHash, 'hex');
    const salt = item?.salt ?? new Uint8Array();
    const sha256 = (...pieces: (string | Uint8Array)[]) => {
      const hash = createHash('sha256');
      for (const piece of pieces) hash.update(piece);
      return hash.digest();
    };
    const plain = [raw, Buffer.from(authHash)].flatMap((bytes) => [
      bytes,
      sha256(bytes),
      sha256(salt, bytes),
      sha256(bytes, salt),
    ]);
    plain.push(sha256(salt, JSON.stringify([userId, authHash])), sha256(JSON.stringify([userId, authHash])));
    const items = [...(await queryItems(partition('VAULT', userId))), ...(item ? [item] : [])];
    expect(items).toHaveLength(2);
    for (const secret of plain) {
      for (const bytes of items.flatMap((one) => Object.values(one)).filter((v) => v instanceof Uint8Array)) {
        expect(Buffer.from(bytes).includes(secret)).toBe(false);
      }
      const text = JSON.stringify(items);
      for (const as of ['hex', 'base64', 'base64url'] as const) {
        expect(text).not.toContain(secret.toString(as));
      }
    }
  });

  test("does not match as another user's proof", async () => {
    const owner = await withVault();
    const thief = await withVault();
    const stolen = await proofItem(thief);
    await putItem({ ...stolen, ...keys.proof(owner.userId) });
    expect((await owner.with({ authHash: thief.authHash }).readVault()).status).toBe(401);
  });
});

describe.each([
  ['GET /api/vault', (account: Account) => account.readVault()],
  ['POST /api/vault', (account: Account) => account.writeVault()],
] as const)('%s', (_, ask) => {
  const expect403 = (response: Answered, deviceId: string) => {
    expect(response.status).toBe(403);
    expect(response.body).toEqual(untrusted(deviceId));
  };
  let account: Account;

  beforeAll(async () => {
    account = await withVault();
  });

  test('from an unknown, a quarantined or a foreign device gets 403 with its id', async () => {
    const { account: quarantined } = await quarantinedAccount(account.anotherDevice());
    const { deviceId } = await withVault();
    for (const device of [account.anotherDevice(), quarantined, account.with({ deviceId })])
      expect403(await ask(device), device.deviceId);
  });

  test('from a revoked device gets 403 at the next call, and its next check quarantines it', async () => {
    const owner = await withVault();
    const other = await trustedAccount(owner.anotherDevice());
    expect((await ask(other)).status).toBe(200);
    const { userId, deviceId: deviceHash } = other;
    expect((await call('devices.revoke', { query: { userId, deviceHash } })).status).toBe(200);
    expect403(await ask(other), other.deviceId);
    expect((await other.checkIn()).body).toMatchObject({ verified: false, requiresMfa: true });
    expect403(await ask(other), other.deviceId);
    expect((await ask(owner)).status).toBe(200);
    await trustedAccount(other);
    expect((await ask(other)).status).toBe(200);
  });

  test('with a wrong proof gets 401', async () => {
    const response = await ask(account.with({ authHash: newHash() }));
    expect([response.status, response.body]).toEqual([401, unproven]);
  });
});
