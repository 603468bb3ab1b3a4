import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { call, handlerOf, proxyEvent, read, registered } from '../../../support/call.ts';
import {
  type Account,
  newAccount,
  proofOf,
  readVault,
  trustedAccount,
  vaultPayload,
  writeVault,
} from '../../../support/devices/accounts.ts';
import { failTable } from '../../../support/faults.ts';

let account: Account;

beforeAll(async () => {
  account = await trustedAccount();
  await writeVault(account);
});

afterEach(() => {
  vi.useRealTimers();
});

describe('GET /api/vault', () => {
  test('responds with 200 and exactly data_blob, iv, version and updated_at', async () => {
    const { status, body } = await readVault(account);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...vaultPayload,
      version: 1,
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  test('returns the time of the write, not of the read', async () => {
    const writer = await trustedAccount();
    const startMs = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: startMs });
    await writeVault(writer);
    vi.setSystemTime(startMs + 86_400_000);
    for (let i = 0; i < 2; i += 1) {
      expect((await readVault(writer)).body.updated_at).toBe(new Date(startMs).toISOString());
    }
  });

  test("responds with 404 'Vault not found' to a user without a vault", async () => {
    const { status, body } = await readVault(await trustedAccount());
    expect(status).toBe(404);
    expect(body).toEqual({ error: 'Vault not found' });
  });

  test('returns the same vault at every read', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => readVault(account)));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  });

  test('ignores the case of header names', async () => {
    const headers = { 'X-Device-ID': account.deviceId, 'X-AUTH-HASH': account.authHash };
    expect((await readVault(account, { headers })).status).toBe(200);
  });

  test('reads everything with strong consistency, so that recent writes and revocations count', async () => {
    const inputs: object[] = [];
    const watch = failTable((command, _, input) => {
      if (command === 'GetItemCommand') inputs.push(input);
      return undefined;
    });
    await readVault(account).finally(watch.restore);
    expect(inputs).toHaveLength(7);
    for (const input of inputs) expect(input).toMatchObject({ ConsistentRead: true });
  });

  test.each([
    ['without', {}, 'is required'],
    ['with an empty', { userId: '' }, 'must not be empty'],
    ['with too long a', { userId: 'u'.repeat(129) }, 'at most 128'],
  ])(
    "responds to a request %s userId with 400 'Invalid request data' and the name of the field",
    async (_, query, sentence) => {
      const response = await call('vault.read', { query: query as Record<string, string> });
      expect(response.status).toBe(400);
      expect(response.body).toEqual({
        error: 'Invalid request data',
        details: { userId: expect.stringContaining(sentence) },
      });
    },
  );

  test('a repeated userId gets 400, because it is ambiguous', async () => {
    const entry = registered('vault.read');
    const event = proxyEvent(entry, { query: { userId: account.userId }, headers: proofOf(account) });
    event.multiValueQueryStringParameters = { userId: ['somebody', account.userId] };
    const response = read(await (await handlerOf(entry))(event));
    expect(response.status).toBe(400);
    expect(response.body.details).toEqual({ userId: 'must be given once' });
  });

  test('responds with 500, an audit id and no reason when the table fails', async () => {
    const fault = failTable(() => new Error('connection lost'));
    const response = await readVault(account).finally(fault.restore);
    expect(response.status).toBe(500);
    expect(response.body).toEqual({ error: 'Internal Server Error' });
    expect(response.headers['x-audit-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('a userId is used verbatim', () => {
  test.each([
    ['case', (id: string) => id.toUpperCase()],
    ['a trailing space', (id: string) => `${id} `],
    ['a separator of keys', (id: string) => `${id}#HEAD`],
    ['an encoded character', (id: string) => id.replace('user-', 'user%2D')],
  ])('%s yields another user', async (_, altered) => {
    const other = await trustedAccount({ ...newAccount(), userId: altered(account.userId) });
    expect((await readVault(other)).status).toBe(404);
    const data_blob = 'b3RoZXI=';
    expect((await writeVault(other, { data_blob })).body.version).toBe(1);
    expect((await readVault(other)).body.data_blob).toBe(data_blob);
    expect((await readVault(account)).body.data_blob).toBe(vaultPayload.data_blob);
  });

  test('the longest userId has a vault, even with characters that take the most space in a key', async () => {
    const other = await trustedAccount({ ...newAccount(), userId: '字'.repeat(92) + randomUUID() });
    expect(other.userId).toHaveLength(128);
    expect((await writeVault(other)).status).toBe(200);
    expect((await readVault(other)).body).toMatchObject(vaultPayload);
  });
});
