import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keys } from '../../../../../functions/shared/contract/keys.ts';
import { getItem } from '../../../../../functions/shared/table/table.ts';
import { type Answered, call, freshAddress } from '../../../../support/call.ts';
import {
  type Account,
  proofOf,
  readVault,
  trustedAccount,
  writeVault,
} from '../../../../support/devices/accounts.ts';

const locked = { error: 'Too many failed attempts. Try again later.' };
const minuteMs = 60_000;
const quarterHourMs = 900_000;
const hourMs = 3_600_000;
const wrongHash = () => randomBytes(32).toString('hex');
const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

let account: Account;
let startMs: number;

beforeEach(async () => {
  account = await trustedAccount();
  await writeVault(account);
  startMs = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: startMs });
});

afterEach(() => {
  vi.useRealTimers();
});

const right = (sourceIp: string, who = account) => readVault(who, { sourceIp });
const wrong = (sourceIp: string, who = account) => readVault({ ...who, authHash: wrongHash() }, { sourceIp });

/** Sends `count` wrong proofs in sequence; each is answered 401. */
async function fail(count: number, sourceIp: string, who = account): Promise<void> {
  for (let i = 0; i < count; i += 1) expect((await wrong(sourceIp, who)).status).toBe(401);
}

function expectLocked(answer: Answered, seconds: number): void {
  expect(answer.status).toBe(429);
  expect(answer.body).toEqual(locked);
  expect(answer.headers['retry-after']).toBe(String(seconds));
}

const at = (afterMs: number) => vi.setSystemTime(startMs + afterMs);

function counted(answers: Answered[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('wrong proofs from one address', () => {
  test('lock it: ten are 401, and the eleventh request is 429 for 15 minutes, even with the right proof', async () => {
    const sourceIp = freshAddress();
    await fail(10, sourceIp);
    expectLocked(await right(sourceIp), 900);
    expectLocked(await wrong(sourceIp), 900);
    expectLocked(await writeVault(account, { version: 1 }, { sourceIp }), 900);
  });

  test('lock it for exactly as long as Retry-After says', async () => {
    const sourceIp = freshAddress();
    await fail(10, sourceIp);
    at(250_400);
    expectLocked(await right(sourceIp), 650);
    at(250_400 + 649_000);
    expectLocked(await right(sourceIp), 1);
    at(quarterHourMs - 1);
    expectLocked(await right(sourceIp), 1);
    at(250_400 + 650_000);
    expect((await right(sourceIp)).status).toBe(200);
  });

  test('lock out the same /64 of IPv6, and no other address', async () => {
    await fail(10, '2001:db8:1:2::1');
    expectLocked(await right('2001:db8:1:2:ffff::9'), 900);
    expect((await right('2001:db8:1:3::1')).status).toBe(200);
    expect((await right(freshAddress())).status).toBe(200);
  });
});

describe('wrong proofs from anywhere', () => {
  test('lock every address once there are a hundred within an hour, for as long as Retry-After says', async () => {
    vi.useRealTimers();
    const other = await trustedAccount();
    await writeVault(other);
    vi.useFakeTimers({ toFake: ['Date'], now: startMs });
    for (let i = 0; i < 9; i += 1) {
      at(i * 1_000);
      await fail(10, freshAddress());
    }
    at(50 * minuteMs);
    const sourceIp = freshAddress();
    await fail(9, sourceIp);
    expect((await right(freshAddress())).status).toBe(200);
    await fail(1, sourceIp);

    expectLocked(await right(freshAddress()), 600);
    expectLocked(await wrong(freshAddress()), 600);
    expectLocked(await writeVault(account, { version: 1 }), 600);
    // The longer of two locks.
    expectLocked(await right(sourceIp), 900);
    expect((await right(freshAddress(), other)).status).toBe(200);
    at(hourMs - 1);
    expectLocked(await right(freshAddress()), 1);
    at(hourMs);
    expect((await right(freshAddress())).status).toBe(200);
  });
});

describe('concurrent wrong proofs', () => {
  const setting = process.env.DEVICE_MANAGEMENT_PROOF;
  afterEach(() => {
    if (setting === undefined) delete process.env.DEVICE_MANAGEMENT_PROOF;
    else process.env.DEVICE_MANAGEMENT_PROOF = setting;
  });

  test('from one address: of 60 exactly 10 are 401, and 50 are 429', async () => {
    // Reads are limited to 30 a minute and writes to 10; the device list, where it asks for the proof, is not.
    process.env.DEVICE_MANAGEMENT_PROOF = 'true';
    const sourceIp = freshAddress();
    const guess = () => ({ ...account, authHash: wrongHash() });
    const list = (who: Account) =>
      call('devices.list', { headers: proofOf(who), query: { userId: who.userId }, sourceIp });
    const answers = await Promise.all([
      ...times(30, () => readVault(guess(), { sourceIp })),
      ...times(10, () => writeVault(guess(), {}, { sourceIp })),
      ...times(20, () => list(guess())),
    ]);
    expect(counted(answers)).toEqual({ 401: 10, 429: 50 });
    for (const { status, body, headers } of answers) {
      if (status === 429) expect([body, headers['retry-after']]).toEqual([locked, '900']);
    }
    // Those that are refused by address do not count towards the lock of all addresses.
    const everywhere = (await getItem(keys.rateLimit('wrong-proof', account.userId))) ?? {};
    const hits = Object.entries(everywhere).filter(([name, hit]) => /^h\d+$/.test(name) && hit !== 0);
    expect(hits).toHaveLength(10);
    at(minuteMs);
    for (const answer of await Promise.all(times(12, () => wrong(sourceIp)))) expectLocked(answer, 840);
    expect((await right(freshAddress())).status).toBe(200);
  });
});
