import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Answered, type Call, call, freshAddress } from '../../../support/call.ts';
import {
  type Account,
  newAccount,
  proofOf,
  readVault,
  trustedAccount,
  vaultPayload,
  writeVault,
} from '../../../support/devices/accounts.ts';

const wrong = 'f'.repeat(64);
const limited = { error: 'Too many requests' };
const locked = { error: 'Too many failed attempts. Try again later.' };

afterEach(() => {
  vi.useRealTimers();
});

/** Headers with a wrong device, or with only a wrong proof. */
function headersWrongFrom(part: 'device' | 'proof' | 'none', account: Account): Record<string, string> {
  const right = proofOf(account);
  if (part === 'none') return right;
  return part === 'proof'
    ? { ...right, 'x-auth-hash': wrong }
    : { 'x-device-id': 'client-stranger', 'x-auth-hash': wrong };
}

/** Sends ten wrong proofs, after which every proof from that address is refused. */
async function lock(account: Account, sourceIp: string): Promise<void> {
  for (let i = 0; i < 10; i += 1) {
    const { status } = await readVault({ ...account, authHash: wrong }, { sourceIp });
    expect(status).toBe(401);
  }
}

describe('POST /api/vault responds with the first of several errors', () => {
  const broken = '{"userId":';
  const stale = ({ userId }: Account) => ({ userId, ...vaultPayload, version: 7 });

  test('1. an exceeded rate limit gets 429', async () => {
    const account = await withVault();
    const sourceIp = freshAddress();
    for (let i = 0; i < 10; i += 1) await call('vault.write', { body: broken, sourceIp });
    for (const body of [broken, stale(account)]) {
      const headers = headersWrongFrom('device', account);
      const response = await call('vault.write', { headers, body, sourceIp });
      expect([response.status, response.body]).toEqual([429, limited]);
    }
    const right = await writeVault(account, { version: 1 }, { sourceIp });
    expect([right.status, right.body]).toEqual([429, limited]);
    expect((await readVault(account)).body.version).toBe(1);
  });

  test('2. an invalid request gets 400', async () => {
    const account = await withVault();
    const headers = headersWrongFrom('device', account);
    const sourceIp = freshAddress();
    await lock(account, sourceIp);
    for (const body of [broken, { ...stale(account), iv: 5 }, { userId: account.userId }, [], {}]) {
      const response = await call('vault.write', { headers, body, sourceIp });
      expect([response.status, response.body.error]).toEqual([400, 'Invalid request data']);
    }
  });

  test('3. an untrusted device gets 403, even from a locked address', async () => {
    const account = await withVault();
    const sourceIp = freshAddress();
    await lock(account, sourceIp);
    const headers = headersWrongFrom('device', account);
    const response = await call('vault.write', { headers, body: stale(account), sourceIp });
    expect(response.status).toBe(403);
  });

  test('4. a locked address gets 429, with the correct proof and without one', async () => {
    const account = await withVault();
    const sourceIp = freshAddress();
    await lock(account, sourceIp);
    for (const authHash of [account.authHash, wrong, '']) {
      const response = await writeVault({ ...account, authHash }, { version: 7 }, { sourceIp });
      expect([response.status, response.body]).toEqual([429, locked]);
    }
  });

  test('5. a wrong proof gets 401', async () => {
    const account = await withVault();
    const headers = headersWrongFrom('proof', account);
    const response = await call('vault.write', { headers, body: stale(account) });
    expect([response.status, response.body]).toEqual([401, { error: 'Invalid authHash or expired session' }]);
  });

  test('6. a wrong version gets 409', async () => {
    const account = await withVault();
    const headers = headersWrongFrom('none', account);
    expect((await call('vault.write', { headers, body: stale(account) })).status).toBe(409);
  });
});

describe('GET /api/vault responds with the first of several errors', () => {
  test('1. an exceeded rate limit gets 429', async () => {
    const account = await trustedAccount();
    const sourceIp = freshAddress();
    for (let i = 0; i < 30; i += 1) await call('vault.read', { sourceIp });
    const headers = headersWrongFrom('device', account);
    const response = await call('vault.read', { headers, sourceIp });
    expect([response.status, response.body]).toEqual([429, limited]);
  });

  test('2. an invalid request gets 400', async () => {
    const account = await trustedAccount();
    const headers = headersWrongFrom('device', account);
    expect((await call('vault.read', { headers, query: {} })).status).toBe(400);
  });

  test('3. an untrusted device gets 403', async () => {
    const account = await trustedAccount();
    const query = { userId: account.userId };
    const headers = headersWrongFrom('device', account);
    expect((await call('vault.read', { headers, query })).status).toBe(403);
  });

  test('4. a malformed proof gets 401, even without a vault', async () => {
    const account = await trustedAccount();
    expect((await readVault({ ...account, authHash: 'wrong' })).status).toBe(401);
  });

  test('5. a missing vault gets 404', async () => {
    expect((await readVault(await trustedAccount())).status).toBe(404);
  });

  test('403 and 401 do not reveal whether a vault exists', async () => {
    const owner = await withVault();
    const without = await trustedAccount();
    const stranger = newAccount();
    const seen = async ({ userId }: Account) => readVault({ ...stranger, userId });
    expect((await seen(owner)).text).toBe((await seen(without)).text);
  });
});

describe('the rate limits per address', () => {
  const read = (account: Account, more: Call) => readVault(account, more);
  const rewrite = (account: Account, more: Call) => writeVault(account, {}, more);

  test.each([
    ['30 reads', 30, read],
    ['10 writes', 10, rewrite],
  ])('allow %s a minute, then respond with 429 and an exact Retry-After', async (_, max, ask) => {
    const account = await withVault();
    const sourceIp = freshAddress();
    const startMs = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: startMs });
    for (let i = 0; i < max; i += 1) {
      vi.setSystemTime(startMs + i);
      expect((await ask(account, { sourceIp })).status).toBe(200);
    }
    vi.setSystemTime(startMs + 10_000);
    const refused = await ask(account, { sourceIp });
    expect([refused.status, refused.body]).toEqual([429, limited]);
    expect(refused.headers['retry-after']).toBe('50');
    vi.setSystemTime(startMs + 59_999);
    expect((await ask(account, { sourceIp })).status).toBe(429);
    vi.setSystemTime(startMs + 60_000);
    expect((await ask(account, { sourceIp })).status).toBe(200);
    expect((await ask(account, { sourceIp })).status).toBe(429);
  });

  test('count reads and writes separately, and other addresses not at all', async () => {
    const account = await withVault();
    const sourceIp = freshAddress();
    for (let i = 0; i < 10; i += 1) await rewrite(account, { sourceIp });
    expect((await rewrite(account, { sourceIp })).status).toBe(429);
    expect((await read(account, { sourceIp })).status).toBe(200);
    expect((await rewrite(account, { sourceIp: freshAddress() })).status).toBe(200);
  });

  test('allow exactly 30 of 60 concurrent reads from one address', async () => {
    const account = await withVault();
    const sourceIp = freshAddress();
    const responses = await Promise.all(Array.from({ length: 60 }, () => read(account, { sourceIp })));
    expect(statuses(responses)).toEqual({ 200: 30, 429: 30 });
  });

  test('allow exactly 10 of 14 concurrent first writes from one address', async () => {
    const accounts = await Promise.all(Array.from({ length: 14 }, () => trustedAccount()));
    const sourceIp = freshAddress();
    const responses = await Promise.all(accounts.map((account) => rewrite(account, { sourceIp })));
    expect(statuses(responses)).toEqual({ 200: 10, 429: 4 });
    const read = await Promise.all(accounts.map((account) => readVault(account)));
    expect(read.map(({ status }) => status)).toEqual(
      responses.map(({ status }) => (status === 200 ? 200 : 404)),
    );
  });
});

async function withVault(): Promise<Account> {
  const account = await trustedAccount();
  await writeVault(account);
  return account;
}

function statuses(responses: Answered[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
