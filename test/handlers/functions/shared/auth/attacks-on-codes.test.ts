/** Attacks that guess codes of many mailboxes. */
import { randomUUID } from 'node:crypto';
import {
  type CountedTry,
  countTry,
  peekTries,
  returnTry,
  tryReturn,
} from '../../../../../functions/shared/auth/codes/code-tries.ts';
import { requesterOf } from '../../../../../functions/shared/auth/codes/mailbox-store.ts';
import { hourMs } from '../../../../../functions/shared/runtime/clock.ts';
import { transactWrite } from '../../../../../functions/shared/table/table.ts';
import { call, freshAddress, freshBlock } from '../../../../support/call.ts';
import {
  type Account,
  newAccount,
  requestCode,
  stored,
  wrongCode,
} from '../../../../support/devices/accounts.ts';
import { holdFirstAttempt } from '../../../../support/faults.ts';
import { samples } from '../../../../support/thoroughness.ts';

/** The mailbox keeps the newest mails of all tests, so a code is read before many others are sent. */
const atOnce = 20;

/** Accounts that wait for a code, each with the code. */
async function waiting(n: number): Promise<{ account: Account; code: string }[]> {
  const accounts: { account: Account; code: string }[] = [];
  while (accounts.length < n) {
    const batch = Array.from({ length: Math.min(atOnce, n - accounts.length) }, async () => {
      const account = newAccount();
      await account.checkIn();
      return { account, code: await requestCode(account.email) };
    });
    accounts.push(...(await Promise.all(batch)));
  }
  return accounts;
}

const verify = (account: Account, code: string, sourceIp: string) =>
  call('devices.trust', { ...account.verification(code), sourceIp });

/** Counts tries of a block, as wrong codes do. */
const useUp = (address: string, n: number) =>
  Promise.all(
    Array.from({ length: n }, () => countTry(requesterOf(address).block, randomUUID(), Date.now())),
  );

const attempts = async (of: { account: Account }[]) => {
  const codes = await Promise.all(of.map(({ account }) => stored.code(account.email)));
  return codes.reduce((sum, code) => sum + Number(code?.attempts), 0);
};

describe('guessing codes of many mailboxes from one IPv6 /48', () => {
  const mailboxes = samples({ few: 33, many: 1_000 });

  test('compares 30 codes an hour, whatever the number of mailboxes', async () => {
    const people = await waiting(mailboxes);
    const address = freshBlock();
    const statuses: number[] = [];
    for (const { account, code } of people) {
      statuses.push((await verify(account, wrongCode(code), address())).status);
    }
    expect(statuses).toEqual([...Array(30).fill(400), ...Array(mailboxes - 30).fill(429)]);
    // A refused try of the block leaves the codes of the others untouched.
    expect(await attempts(people)).toBe(30);
    const [{ account, code }] = people as [{ account: Account; code: string }];
    expect((await verify(account, code, freshAddress())).status).toBe(200);
  });

  test('yields the same refusal for a right code as for a wrong one, with the time to try again', async () => {
    const address = freshBlock();
    await useUp(address(), 30);
    const [one, two] = (await waiting(2)) as [
      { account: Account; code: string },
      { account: Account; code: string },
    ];
    const seen = [];
    for (const [account, code] of [
      [one.account, one.code],
      [two.account, wrongCode(two.code)],
      [newAccount(), '123456'],
    ] as const) {
      const { status, body, headers } = await verify(account, code, address());
      expect(Number(headers['retry-after'])).toBeGreaterThan(3_500);
      seen.push({ status, body });
    }
    const refused = { status: 429, body: { error: 'Too many attempts' } };
    expect(seen).toEqual([refused, refused, refused]);
  });
});

describe('people behind one address block', () => {
  test('who type right codes do not use up its tries', async () => {
    const address = freshBlock();
    await useUp(address(), 28);
    for (const { account, code } of await waiting(3))
      expect((await verify(account, code, address())).status).toBe(200);
    expect((await verify(newAccount(), '123456', address())).status).toBe(400);
    for (const { account, code } of await waiting(1))
      expect((await verify(account, code, address())).status).toBe(200);
  });

  test('cannot learn from the tries left that a code is right while its device is not theirs', async () => {
    const address = freshBlock();
    await useUp(address(), 29);
    for (const { account, code } of await waiting(1)) {
      // The right code for a device that is not in quarantine: nothing is given back.
      await verify(account.with({ deviceId: 'client-unknown' }), code, address());
    }
    expect((await verify(newAccount(), '123456', address())).status).toBe(429);
  });
});

const start = Date.parse('2026-06-01T00:00:00Z');

const count = (block: string, atMs = start) => countTry(block, randomUUID(), atMs);

const counted = (results: (CountedTry | object)[]) => results.filter((one) => 'name' in one) as CountedTry[];

const many = (n: number, block: string, atMs = start) =>
  Promise.all(Array.from({ length: n }, () => count(block, atMs)));

describe('tries of an address block', () => {
  test('are 30 in any hour, and the next is allowed when the oldest is an hour old', async () => {
    const block = freshAddress();
    for (let n = 0; n < 30; n += 1) expect(await count(block, start + n * 1_000)).toHaveProperty('name');
    const refused = { allowed: false, retryAfterSeconds: 3_571 };
    expect(await count(block, start + 29_000)).toEqual(refused);
    expect(await peekTries(block, start + 29_000)).toEqual(refused);
    expect(await count(block, start + hourMs - 1)).toEqual({ allowed: false, retryAfterSeconds: 1 });
    expect(await peekTries(block, start + hourMs)).toEqual({ allowed: true });
    expect(counted(await many(10, block, start + hourMs))).toHaveLength(1);
    expect(counted(await many(10, block, start + hourMs + 2_000))).toHaveLength(2);
    expect((await stored.tries(block))?.tries).toHaveLength(30);
  });

  test('are given back, in a transaction or alone, and then do not count', async () => {
    const block = freshAddress();
    const results = counted(await many(30, block));
    expect(counted([await count(block)])).toEqual([]);
    const [first, second] = results as [CountedTry, CountedTry];
    expect(await transactWrite([tryReturn(first)])).toBe(true);
    await returnTry(second);
    expect(await peekTries(block, start)).toEqual({ allowed: true });
    expect(counted(await many(10, block))).toHaveLength(2);
  });

  test('are given back once, when the write arrives twice', async () => {
    const block = freshAddress();
    const [first] = counted(await many(30, block)) as [CountedTry];
    await returnTry(first);
    await returnTry(first);
    expect(counted(await many(10, block))).toHaveLength(1);
  });

  test('count once, when the write is sent again and its first copy arrives late', async () => {
    const block = freshAddress();
    const held = holdFirstAttempt((command) => command === 'UpdateItemCommand');
    const result = await count(block).finally(held.restore);
    await held.arrive();
    expect(counted([result])).toHaveLength(1);
    expect((await stored.tries(block))?.tries).toHaveLength(1);
  });
});
