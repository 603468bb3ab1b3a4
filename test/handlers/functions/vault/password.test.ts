import { randomBytes } from 'node:crypto';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { call, freshAddress } from '../../../support/call.ts';
import { trustedAccount, vaultAccount } from '../../../support/devices/accounts.ts';

const newHash = () => randomBytes(32).toString('hex');
const unproven = { error: 'Invalid authHash or expired session' };

test('the first write registers the proof of x-auth-hash, or new_auth_hash when it is sent', async () => {
  for (const new_auth_hash of [undefined, newHash()]) {
    const first = await trustedAccount();
    expect((await first.writeVault({ new_auth_hash })).status).toBe(200);
    expect((await first.with({ authHash: new_auth_hash ?? first.authHash }).readVault()).status).toBe(200);
    const other = new_auth_hash === undefined ? newHash() : first.authHash;
    const refused = await first.with({ authHash: other }).readVault();
    expect([refused.status, refused.body]).toEqual([401, unproven]);
  }
});

test('a new master password is in force immediately on every device, and the old one is refused', async () => {
  const account = await vaultAccount();
  const second = await trustedAccount(account.anotherDevice());
  const authHash = newHash();
  const change = { data_blob: 'bmV3', iv: 'bmV3', version: 1, new_auth_hash: authHash };
  expect((await account.writeVault(change)).body).toMatchObject({ success: true, version: 2 });
  for (const device of [account, second]) {
    const old = await device.readVault();
    expect([old.status, old.body]).toEqual([401, unproven]);
    expect((await device.writeVault({ version: 2 })).status).toBe(401);
    const { body } = await device.with({ authHash }).readVault();
    expect(body).toMatchObject({ data_blob: 'bmV3', iv: 'bmV3', version: 2 });
  }
});

describe('a change of the master password whose response was lost', () => {
  const changed = async () => {
    const account = await vaultAccount();
    const change = { data_blob: 'bmV3', iv: 'bmV3', version: 1, new_auth_hash: newHash() };
    const first = await account.writeVault(change);
    expect(first.status).toBe(200);
    return { account, change, first, renewed: account.with({ authHash: change.new_auth_hash }) };
  };

  test('is answered like the first time when it is repeated, and writes nothing', async () => {
    const { account, change, first, renewed } = await changed();
    for (let i = 0; i < 3; i += 1) {
      const repeat = await account.writeVault(change);
      expect([repeat.status, repeat.body]).toEqual([200, first.body]);
    }
    const withNewProof = await renewed.writeVault(change);
    expect([withNewProof.status, withNewProof.body]).toEqual([200, first.body]);
    expect((await renewed.readVault()).body).toMatchObject({ data_blob: 'bmV3', version: 2 });
    expect((await account.readVault()).status).toBe(401);
    const record = JSON.stringify(await getItem(keys.proof(account.userId)), (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
    );
    expect(record).toContain('presented');
    for (const { authHash } of [account, renewed]) expect(record).not.toContain(authHash);
  });

  test('passes only with the same content, and every other request with the old proof counts as wrong', async () => {
    const { account, change } = await changed();
    const others = [
      { ...change, new_auth_hash: newHash() },
      { ...change, data_blob: 'bmV4' },
      { ...change, iv: 'bmV4' },
      { ...change, version: 0 },
      { ...change, version: 2 },
      { data_blob: change.data_blob, iv: change.iv, version: 1 },
    ];
    let sent = 0;
    const attempt = (sourceIp: string) => {
      const body = { userId: account.userId, ...others[sent % others.length] };
      sent += 1;
      return call('vault.write', { headers: account.proof, body, sourceIp });
    };
    // The write limit of an address is ten a minute as well: the last attempt is a read, which has a limit of its own.
    const sourceIp = freshAddress();
    for (let i = 0; i < 10; i += 1) expect((await attempt(sourceIp)).status).toBe(401);
    const locked = await call('vault.read', {
      headers: account.with({ authHash: change.new_auth_hash }).proof,
      query: { userId: account.userId },
      sourceIp,
    });
    expect([locked.status, locked.body.error]).toEqual([429, 'Too many failed attempts. Try again later.']);
  });
});
