/** Who locks out whom with wrong proofs. docs/security.md computes what a lock takes. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../../../functions/shared/runtime/duration.ts';
import { consume } from '../../../../functions/shared/table/rate-limit.ts';
import { type Answered, freshAddress } from '../../../support/call.ts';
import { type Account, proofOf, readVault, stored, writeVault } from '../../../support/devices/accounts.ts';
import { accountWithToken } from '../../../support/devices/device-keys.ts';
import { countCalls } from '../../../support/faults.ts';

const wrong = 'f'.repeat(64);
const home = '198.51.100.20';
let account: Account;
let deviceToken: string;

const read = (sourceIp: string, authHash = account.authHash, headers = {}): Promise<Answered> =>
  readVault(
    { ...account, authHash },
    { sourceIp, headers: { ...proofOf({ ...account, authHash }), ...headers } },
  );

/** Uses up the limit of all strangers: 100 wrong proofs in an hour, of which the last is sent. */
async function lockStrangers(): Promise<void> {
  const limit = { group: 'wrong-proof', max: 100, windowMs: hourMs };
  await Promise.all(Array.from({ length: 99 }, () => consume(limit, account.userId, Date.now())));
  expect((await read(freshAddress(), wrong)).status).toBe(401);
  expect((await read(freshAddress(), wrong)).status).toBe(429);
}

beforeEach(async () => {
  const trusted = await accountWithToken();
  account = trusted.account;
  deviceToken = trusted.deviceToken;
  await writeVault(account, {}, { sourceIp: home });
  expect((await read(home)).status).toBe(200);
});

afterEach(() => {
  vi.useRealTimers();
});

describe('strangers who use up the limit of all addresses', () => {
  test('lock out a stranger, even with the right proof, and a locked request writes nothing but its limit', async () => {
    await lockStrangers();
    const response = await read(freshAddress());
    expect([response.status, response.body.error]).toEqual([
      429,
      'Too many failed attempts. Try again later.',
    ]);
    for (const authHash of [wrong, account.authHash]) {
      const calls = await countCalls(() => read(freshAddress(), authHash));
      expect(calls.filter((command) => !command.startsWith('Get'))).toEqual(['UpdateItemCommand']);
    }
  });

  test('do not lock out the owner at an address from which they proved themselves', async () => {
    await lockStrangers();
    expect((await read(home)).status).toBe(200);
  });

  test('do not lock out a device that presents its proof, from any address', async () => {
    await lockStrangers();
    const token = { 'x-device-token': deviceToken };
    expect((await read(freshAddress(), account.authHash, token)).status).toBe(200);
  });
});

describe('a known caller', () => {
  test('has ten wrong proofs in 15 minutes, and locks out only itself', async () => {
    for (let i = 0; i < 10; i += 1) expect((await read(home, wrong)).status).toBe(401);
    const locked = await read(home);
    expect([locked.status, Number(locked.headers['retry-after'])]).toEqual([429, expect.any(Number)]);
    expect((await read(freshAddress())).status).toBe(200);
  });

  test('is known for 30 days since the last proof, recorded once a day', async () => {
    const start = Date.parse('2031-05-01T10:00:00Z');
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const office = freshAddress();
    const provedAt = async () =>
      new Map(Object.entries((await stored.device(account))?.passwordProvedFrom ?? {})).get(office);
    await read(office);
    vi.setSystemTime(start + 23 * hourMs);
    await read(office);
    expect(await provedAt()).toBe(start);
    vi.setSystemTime(start + dayMs);
    await read(office);
    expect(await provedAt()).toBe(start + dayMs);
    vi.setSystemTime(start + 31 * dayMs - minuteMs);
    await lockStrangers();
    expect((await read(office)).status).toBe(200);
    vi.setSystemTime(start + 62 * dayMs);
    await lockStrangers();
    expect((await read(office)).status).toBe(429);
  });

  test('is not made by a right proof of a stranger at the same address with another device', async () => {
    const other = await accountWithToken({ ...account, uuid: 'other', deviceId: 'client-other' });
    await lockStrangers();
    const response = await readVault(other.account, { sourceIp: home });
    expect(response.status).toBe(429);
  });
});
