/** Wrong proofs, and whom they lock out. docs/security.md computes what a lock takes. */

import { randomBytes } from 'node:crypto';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { dayMs, hourMs, minuteMs } from '../../../../functions/shared/runtime/clock.ts';
import { consume } from '../../../../functions/shared/table/rate-limit.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { type Answered, call, freshAddress } from '../../../support/call.ts';
import { type Account, stored, vaultAccount } from '../../../support/devices/accounts.ts';
import { accountWithToken } from '../../../support/devices/device-keys.ts';

const locked = { error: 'Too many failed attempts. Try again later.' };
const home = '198.51.100.20';
const startMs = Date.parse('2031-05-01T10:00:00Z');
const at = (afterMs: number) => vi.setSystemTime(startMs + afterMs);
const wrongHash = () => randomBytes(32).toString('hex');

let account: Account;
let deviceToken: string;

function read(
  sourceIp: string,
  more: { who?: Account; authHash?: string; headers?: Record<string, string> } = {},
): Promise<Answered> {
  const { who = account, headers } = more;
  const proven = who.with({ authHash: more.authHash ?? who.authHash });
  return proven.readVault({ sourceIp, headers: { ...proven.proof, ...headers } });
}
const wrong = (sourceIp: string) => read(sourceIp, { authHash: wrongHash() });

/** Sends `count` wrong proofs in sequence; each is answered 401. */
async function fail(count: number, sourceIp: string): Promise<void> {
  for (let i = 0; i < count; i += 1) expect((await wrong(sourceIp)).status).toBe(401);
}

function expectLocked({ status, body, headers }: Answered, seconds: number): void {
  expect([status, body, headers['retry-after']]).toEqual([429, locked, String(seconds)]);
}

/** Counts wrong proofs of strangers, as each request with one does. */
async function countWrong(proofs: number): Promise<void> {
  const limit = { group: 'wrong-proof', max: 100, windowMs: hourMs };
  await Promise.all(Array.from({ length: proofs }, () => consume(limit, account.userId, Date.now())));
}

/** Uses up the limit of all strangers: 100 wrong proofs in an hour, of which the last is sent. */
async function lockStrangers(): Promise<void> {
  await countWrong(99);
  await fail(1, freshAddress());
  expect((await wrong(freshAddress())).status).toBe(429);
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: startMs });
  const trusted = await accountWithToken();
  account = trusted.account;
  deviceToken = trusted.deviceToken;
  await account.writeVault();
});
describe('wrong proofs', () => {
  test('from one address lock it after ten, for exactly as long as Retry-After says, even with the right proof', async () => {
    const sourceIp = freshAddress();
    await fail(10, sourceIp);
    expectLocked(await read(sourceIp), 900);
    expectLocked(await wrong(sourceIp), 900);
    expectLocked(await account.writeVault({ version: 1 }, { sourceIp }), 900);
    at(250_400);
    expectLocked(await read(sourceIp), 650);
    at(15 * minuteMs - 1);
    expectLocked(await read(sourceIp), 1);
    at(15 * minuteMs);
    expect((await read(sourceIp)).status).toBe(200);
  });

  test('lock every address once there are a hundred within an hour, for as long as Retry-After says', async () => {
    const other = await vaultAccount();
    await fail(10, freshAddress());
    for (let i = 1; i < 9; i += 1) {
      at(i * 1_000);
      await countWrong(10);
    }
    at(50 * minuteMs);
    const sourceIp = freshAddress();
    await fail(9, sourceIp);
    expect((await read(freshAddress())).status).toBe(200);
    await fail(1, sourceIp);

    expectLocked(await read(freshAddress()), 600);
    expectLocked(await wrong(freshAddress()), 600);
    expectLocked(await account.writeVault({ version: 1 }), 600);
    // The longer of two locks.
    expectLocked(await read(sourceIp), 900);
    expect((await read(freshAddress(), { who: other })).status).toBe(200);
    at(hourMs - 1);
    expectLocked(await read(freshAddress()), 1);
    at(hourMs);
    expect((await read(freshAddress())).status).toBe(200);
  });

  test('from one address: of 60 exactly 10 are 401, and 50 are 429', async () => {
    // Reads are limited to 30 a minute and writes to 10; the device list, where it asks for the proof, is not.
    vi.stubEnv('DEVICE_MANAGEMENT_PROOF', 'true');
    const sourceIp = freshAddress();
    const { userId } = account;
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => {
        const guess = account.with({ authHash: wrongHash() });
        if (n < 30) return guess.readVault({ sourceIp });
        if (n < 40) return guess.writeVault({}, { sourceIp });
        return call('devices.list', { headers: guess.proof, query: { userId }, sourceIp });
      }),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    for (const answer of answers) if (answer.status !== 401) expectLocked(answer, 900);
    // Those that are refused by address do not count towards the lock of all addresses.
    const everywhere = (await getItem(keys.rateLimit('wrong-proof', userId))) ?? {};
    const hits = Object.entries(everywhere).filter(([name, hit]) => /^h\d+$/.test(name) && hit !== 0);
    expect(hits).toHaveLength(10);
  });
});

describe('strangers who use up the limit of all addresses', () => {
  test('do not lock out the owner at an address from which they proved themselves', async () => {
    expect((await read(home)).status).toBe(200);
    await lockStrangers();
    expect((await read(home)).status).toBe(200);
  });

  test('do not lock out a device that presents its proof, from any address', async () => {
    await lockStrangers();
    const headers = { 'x-device-token': deviceToken };
    expect((await read(freshAddress(), { headers })).status).toBe(200);
  });
});

describe('a known caller', () => {
  test('has ten wrong proofs in 15 minutes, and locks out only itself', async () => {
    await read(home);
    await fail(10, home);
    expect((await read(home)).status).toBe(429);
    expect((await read(freshAddress())).status).toBe(200);
  });

  test('is known for 30 days since the last proof, recorded once a day', async () => {
    const office = freshAddress();
    const provedAt = async () =>
      new Map(Object.entries((await stored.device(account))?.passwordProvedFrom ?? {})).get(office);
    await read(office);
    at(23 * hourMs);
    await read(office);
    expect(await provedAt()).toBe(startMs);
    at(dayMs);
    await read(office);
    expect(await provedAt()).toBe(startMs + dayMs);
    at(31 * dayMs - minuteMs);
    await lockStrangers();
    expect((await read(office)).status).toBe(200);
    at(62 * dayMs);
    await lockStrangers();
    expect((await read(office)).status).toBe(429);
  });

  test('is not made by a right proof of a stranger at the same address with another device', async () => {
    await read(home);
    const other = await accountWithToken(account.with({ uuid: 'other', deviceId: 'client-other' }));
    await lockStrangers();
    const response = await other.account.readVault({ sourceIp: home });
    expect(response.status).toBe(429);
  });
});
