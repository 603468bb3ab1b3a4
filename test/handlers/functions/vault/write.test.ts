import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { call } from '../../../support/call.ts';
import {
  type Account,
  proofOf,
  readVault,
  trustedAccount,
  vaultPayload,
  writeVault,
} from '../../../support/devices/accounts.ts';

const conflict = (version: number) => ({ error: 'Vault conflict', details: { version } });
const blob = () => randomBytes(24).toString('base64');

/** An account with a vault of that version, and its content. */
async function withVault(version: number): Promise<{ account: Account; data_blob: string }> {
  const account = await trustedAccount();
  let data_blob = '';
  for (let v = 0; v < version; v += 1) {
    data_blob = blob();
    await writeVault(account, { data_blob, version: v });
  }
  return { account, data_blob };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('POST /api/vault', () => {
  test('responds with 200 and exactly success, version and updated_at', async () => {
    const account = await trustedAccount();
    const startMs = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: startMs });
    const { status, body } = await writeVault(account);
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, version: 1, updated_at: new Date(startMs).toISOString() });
  });

  test('counts writes in version, from 1', async () => {
    const account = await trustedAccount();
    for (let version = 0; version < 5; version += 1) {
      const payload = { data_blob: blob(), iv: randomBytes(12).toString('base64') };
      const written = await writeVault(account, { ...payload, version });
      expect(written.body.version).toBe(version + 1);
      const { updated_at } = written.body;
      expect((await readVault(account)).body).toEqual({ ...payload, version: version + 1, updated_at });
    }
  });

  test.each([[{}], [{ version: 0 }], [{ version: -0 }]])('creates a vault for %j', async (body) => {
    expect((await writeVault(await trustedAccount(), body)).body.version).toBe(1);
  });

  test.each([
    ['none', {}],
    ['0', { version: 0 }],
    ['stale', { version: 2 }],
    ['future', { version: 4 }],
    ['far future', { version: Number.MAX_SAFE_INTEGER }],
  ])(
    "responds to a version that is %s with 409 'Vault conflict' and the current version, and keeps the vault",
    async (_, body) => {
      const { account, data_blob } = await withVault(3);
      const before = (await readVault(account)).body;
      const response = await writeVault(account, { ...body, data_blob: blob() });
      expect(response.status).toBe(409);
      expect(response.body).toEqual(conflict(3));
      expect((await readVault(account)).body).toEqual(before);
      expect(before.data_blob).toBe(data_blob);
    },
  );

  test('responds to any version of a missing vault with 409 and version 0, and creates none', async () => {
    const account = await trustedAccount();
    expect((await writeVault(account, { version: 1 })).body).toEqual(conflict(0));
    expect((await readVault(account)).status).toBe(404);
  });

  test.each(['-1', '1.5', '"1"', 'null', 'true', '[1]', '1e999', '9007199254740993'])(
    'responds to version %s with 400 and the name of the field',
    async (version) => {
      const { account } = await withVault(1);
      const body = `{"userId":"${account.userId}","data_blob":"AAAA","iv":"AAAA","version":${version}}`;
      const response = await call('vault.write', { headers: proofOf(account), body });
      expect(response.status).toBe(400);
      expect(response.body).toEqual({
        error: 'Invalid request data',
        details: { version: expect.stringMatching(/^must be /) },
      });
      expect((await readVault(account)).body.version).toBe(1);
    },
  );

  test.each(['userId', 'data_blob', 'iv'])(
    'responds to a missing %s with 400 and the name of the field',
    async (field) => {
      const account = await trustedAccount();
      const response = await writeVault(account, { [field]: undefined });
      expect(response.status).toBe(400);
      expect(response.body).toEqual({ error: 'Invalid request data', details: { [field]: 'is required' } });
    },
  );

  test.each(['data_blob', 'iv'])(
    'responds to a %s that is not Base64 with 400 and the reason',
    async (field) => {
      const account = await trustedAccount();
      for (const bad of ['not base64!', 'A', 'AA=', 'AB+-', 'AAAA\n']) {
        const response = await writeVault(account, { [field]: bad });
        expect(response.status).toBe(400);
        expect(response.body.details).toEqual({ [field]: expect.stringContaining('must be Base64') });
      }
    },
  );

  test.each([
    ['', '1 to 64 bytes, this holds 0'],
    [Buffer.alloc(65).toString('base64'), '1 to 64 bytes, this holds 65'],
  ])('responds to iv %j with 400, because it must have 1 to 64 bytes', async (iv, sizes) => {
    const response = await writeVault(await trustedAccount(), { iv });
    expect(response.status).toBe(400);
    expect(response.body.details).toEqual({ iv: `must hold ${sizes}` });
  });

  test.each(['', 'f'.repeat(63), 'f'.repeat(65), 'F'.repeat(64), `${'f'.repeat(64)}\n`, null, 1])(
    'responds to new_auth_hash %j with 400 and the name of the field, and changes nothing',
    async (new_auth_hash) => {
      const { account } = await withVault(1);
      const response = await writeVault(account, { version: 1, new_auth_hash });
      expect(response.status).toBe(400);
      expect(Object.keys(response.body.details)).toEqual(['new_auth_hash']);
      expect((await readVault(account)).body.version).toBe(1);
    },
  );

  test('ignores an undeclared field of any name', async () => {
    const account = await trustedAccount();
    const more = { pk: 'VAULT#x', sk: 'HEAD', parts: 9, digest: 'x', updatedAtMs: 0, proof: { hash: 'x' } };
    expect((await writeVault(account, more)).status).toBe(200);
    expect((await readVault(account)).body).toMatchObject({ ...vaultPayload, version: 1 });
  });
});

describe('a repeated identical write', () => {
  test('gets the exact response of the first, and is written once', async () => {
    const { account } = await withVault(1);
    const startMs = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: startMs });
    const write = { data_blob: blob(), version: 1 };
    const first = await writeVault(account, write);
    vi.setSystemTime(startMs + 5_000);
    const again = await writeVault(account, write);
    expect(first.status).toBe(200);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect((await readVault(account)).body.version).toBe(2);
  });

  test('gets the response of the first, also when it creates the vault', async () => {
    const account = await trustedAccount();
    const first = await writeVault(account);
    expect((await writeVault(account)).text).toBe(first.text);
  });

  test.each([
    ['blob', { data_blob: 'AAAA' }],
    ['iv', { iv: 'AAAA' }],
    ['spelling of the same bytes', { data_blob: 'QR==' }],
  ])('gets 409 with another %s, because it is a different write', async (_, other) => {
    const { account } = await withVault(1);
    const write = { data_blob: 'QQ==', iv: vaultPayload.iv, version: 1 };
    expect((await writeVault(account, write)).status).toBe(200);
    const response = await writeVault(account, { ...write, ...other });
    expect(response.status).toBe(409);
    expect(response.body).toEqual(conflict(2));
    expect((await readVault(account)).body).toMatchObject({ data_blob: 'QQ==', iv: vaultPayload.iv });
  });

  test('gets 409 after another write, because its content has been replaced', async () => {
    const { account } = await withVault(1);
    await writeVault(account, { version: 1 });
    await writeVault(account, { version: 2, data_blob: blob() });
    expect((await writeVault(account, { version: 1 })).body).toEqual(conflict(3));
  });

  test('gets 409 when the same content was stored again over another version', async () => {
    const { account } = await withVault(1);
    await writeVault(account, { version: 1 });
    await writeVault(account, { version: 2, data_blob: blob() });
    await writeVault(account, { version: 3 });
    expect((await writeVault(account, { version: 1 })).body).toEqual(conflict(4));
  });

  test('is a new write with the next version', async () => {
    const { account } = await withVault(1);
    expect((await writeVault(account, { version: 1 })).body.version).toBe(2);
    expect((await writeVault(account, { version: 2 })).body.version).toBe(3);
  });
});
