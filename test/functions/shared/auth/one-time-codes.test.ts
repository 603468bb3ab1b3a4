import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { deploymentKey } from '../../../../functions/shared/auth/deployment-key.ts';
import {
  type CodePurpose,
  type CodeSlot,
  codeConsumption,
} from '../../../../functions/shared/auth/one-time-code-key.ts';
import { codeLifetimeMs, withdrawCode } from '../../../../functions/shared/auth/one-time-codes.ts';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { transactWrite } from '../../../../functions/shared/table/table.ts';
import { stored } from '../../../support/devices/accounts.ts';
import { freshRequester, rightCode, store, tryCode, verifiedId } from '../../../support/devices/codes.ts';
import { countCalls } from '../../../support/faults.ts';
import { putItem } from '../../../support/stored-items.ts';

const start = Date.parse('2026-03-10T10:00:00Z');
const freshSlot = (purpose = 'device'): CodeSlot => ({
  purpose: purpose as CodePurpose,
  email: `${randomUUID()}@example.com`,
});
const first = { code: '123456', codeId: 'first' };
const second = { code: '654321', codeId: 'second' };

/** A slot with the first code, stored at `start`. */
async function slotWithCode(): Promise<CodeSlot> {
  const slot = freshSlot();
  expect(await store(slot, first, start)).toBeUndefined();
  return slot;
}

describe('a code', () => {
  test('expires after 300 seconds', () => expect(codeLifetimeMs).toBe(300_000));

  test.each([
    [0, 'first'],
    [299_999, 'first'],
    [300_000, undefined],
    [300_001, undefined],
  ])('verified after %i ms yields %s', async (afterMs, codeId) => {
    expect(await verifiedId(await slotWithCode(), first.code, start + afterMs)).toBe(codeId);
  });

  test('is replaced by the next code, which resets its attempts', async () => {
    const slot = await slotWithCode();
    for (let n = 0; n < 5; n += 1) await verifiedId(slot, '000000', start);
    await store(slot, second, start + 1);
    expect(await verifiedId(slot, first.code, start + 2)).toBeUndefined();
    expect(await verifiedId(slot, second.code, start + 300_000)).toBe('second');
  });

  test.each(['', '12345', '1234567', '123456 ', '0123456', '１２３４５６'])(
    'does not match %j',
    async (guess) => {
      expect(await verifiedId(await slotWithCode(), guess, start)).toBeUndefined();
    },
  );

  test('is valid for one address and one purpose', async () => {
    const slot = await slotWithCode();
    expect(
      await verifiedId({ ...slot, purpose: 'consent' as CodePurpose }, first.code, start),
    ).toBeUndefined();
    expect(await verifiedId({ ...slot, email: `x${slot.email}` }, first.code, start)).toBeUndefined();
    expect(await verifiedId(slot, first.code, start)).toBe('first');
  });

  test('does not match when its record is copied to another address or purpose', async () => {
    const slot = await slotWithCode();
    const record = await stored.code(slot.email);
    for (const other of [{ ...slot, purpose: 'consent' as CodePurpose }, freshSlot()]) {
      await putItem({ ...record, ...keys.code(other.purpose, other.email) });
      expect(await verifiedId(other, first.code, start)).toBeUndefined();
    }
  });

  test('costs one call to verify, whether it was sent or not', async () => {
    const slot = await slotWithCode();
    expect(await countCalls(() => verifiedId(slot, '000000', start))).toEqual(['UpdateItemCommand']);
    expect(await countCalls(() => verifiedId(freshSlot(), '000000', start))).toEqual(['UpdateItemCommand']);
  });

  test('leaves no record when it is verified without being sent', async () => {
    const slot = freshSlot();
    await verifiedId(slot, first.code, start);
    expect(await stored.code(slot.email)).toBeUndefined();
  });
});

describe('attempts', () => {
  test.each([
    ['accept the correct code after four wrong ones', 4, 'first'],
    ['refuse the correct code after five wrong ones', 5, undefined],
  ])('%s', async (_, wrong, codeId) => {
    const slot = await slotWithCode();
    for (let n = 0; n < wrong; n += 1) expect(await verifiedId(slot, '000000', start)).toBeUndefined();
    expect(await verifiedId(slot, first.code, start)).toBe(codeId);
  });

  test('exactly five of 200 concurrent correct attempts are compared', async () => {
    const slot = await slotWithCode();
    const results: (string | undefined)[] = [];
    const workers = Array.from({ length: 50 }, async () => {
      for (let n = 0; n < 4; n += 1) results.push(await verifiedId(slot, first.code, start));
    });
    await Promise.all(workers);
    expect(results).toHaveLength(200);
    expect(results.filter((codeId) => codeId === 'first')).toHaveLength(5);
    expect(await stored.code(slot.email)).toMatchObject({ attempts: 5 });
  });

  test('concurrent with new codes get five comparisons per code, and never match a replaced code', async () => {
    const slot = await slotWithCode();
    const trying = Array.from({ length: 60 }, () => verifiedId(slot, first.code, start));
    await store(slot, second, start);
    const late = await Promise.all(Array.from({ length: 20 }, () => verifiedId(slot, first.code, start)));
    expect(late.filter(Boolean)).toEqual([]);
    expect((await Promise.all(trying)).filter(Boolean).length).toBeLessThanOrEqual(5);
  });
});

describe('consuming a code', () => {
  test('succeeds once, even for 20 concurrent requests', async () => {
    for (let round = 0; round < 5; round += 1) {
      const slot = await slotWithCode();
      const passed = await Promise.all(
        Array.from({ length: 20 }, () => transactWrite([codeConsumption(slot, 'first', start)])),
      );
      expect(passed.filter(Boolean)).toHaveLength(1);
      expect(await verifiedId(slot, first.code, start)).toBeUndefined();
    }
  });

  test.each([
    ['for a replaced code', 'first', start, second],
    ['for another code', 'third', start, undefined],
    ['for a code that is 300 s old', 'first', start + 300_000, undefined],
  ])('fails %s, and leaves the stored code', async (_, codeId, now, next) => {
    const slot = await slotWithCode();
    if (next) await store(slot, next, start);
    expect(await transactWrite([codeConsumption(slot, codeId, now)])).toBe(false);
    expect((await stored.code(slot.email))?.codeHash).toHaveLength(32);
  });

  test('does not reset the hourly count of sent codes', async () => {
    const slot = await slotWithCode();
    await transactWrite([codeConsumption(slot, 'first', start)]);
    expect(await stored.code(slot.email)).toMatchObject({ h0: start });
  });
});

describe('withdrawing a code', () => {
  test('removes the code', async () => {
    const slot = await slotWithCode();
    await withdrawCode(slot, 'first');
    expect(await stored.code(slot.email)).not.toHaveProperty('codeHash');
    expect(await verifiedId(slot, first.code, start)).toBeUndefined();
  });

  test('leaves another code in place, and creates no record', async () => {
    const slot = await slotWithCode();
    await withdrawCode(slot, 'another');
    expect(await verifiedId(slot, first.code, start)).toBe('first');
    const absent = freshSlot();
    await withdrawCode(absent, 'first');
    expect(await stored.code(absent.email)).toBeUndefined();
  });
});

describe('the limit of 90 codes an hour to one address', () => {
  test('refuses further codes until the oldest is an hour old, and keeps the last code', async () => {
    const slot = freshSlot();
    for (let n = 0; n < 90; n += 1)
      expect(await store(slot, { code: '123456', codeId: `code-${n}` }, start + n)).toBeUndefined();
    const refused = { allowed: false, retryAfterSeconds: 3_600 };
    expect(await store(slot, second, start + 89)).toEqual(refused);
    expect(await verifiedId(slot, first.code, start + 89)).toBe('code-89');
    expect(await store(slot, second, start + 3_599_999)).toEqual({
      allowed: false,
      retryAfterSeconds: 1,
    });
    expect(await store(slot, second, start + 3_600_000)).toBeUndefined();
    const third = { code: '123456', codeId: 'third' };
    expect(await store(slot, third, start + 3_600_000)).toMatchObject({ allowed: false });
  });

  test('stores 90 of 120 concurrent codes', async () => {
    const slot = freshSlot();
    const refusals = await Promise.all(
      Array.from({ length: 120 }, (_, n) => store(slot, { code: '123456', codeId: `code-${n}` }, start)),
    );
    expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(90);
  });

  test('is counted per purpose, so that device codes cannot prevent a sign-in', async () => {
    const slot = freshSlot();
    await Promise.all(
      Array.from({ length: 90 }, (_, n) => store(slot, { code: '1', codeId: `${n}` }, start)),
    );
    expect(await store(slot, first, start)).toMatchObject({ allowed: false });
    expect(await store({ ...slot, purpose: 'consent' as CodePurpose }, first, start)).toBeUndefined();
  });
});

test('codes and proofs have different keys', async () => {
  expect((await deploymentKey('codes')).equals(await deploymentKey('proofs'))).toBe(false);
  expect(await deploymentKey('codes')).toHaveLength(32);
});

test('an address gets 120 attempts an hour across its codes, and the next when the oldest is an hour old', async () => {
  const own = { purpose: 'device', email: `${randomUUID()}@example.com` } as const;
  const start = Date.parse('2026-05-01T00:00:00Z');
  const fresh = async (n: number, atMs: number) => {
    await store(own, { code: '123456', codeId: `tries-${n}` }, atMs);
    return atMs;
  };
  for (let n = 0; n < 24; n += 1) {
    const atMs = await fresh(n, start + n * 1_000);
    for (let i = 0; i < 5; i += 1) expect(await verifiedId(own, '000000', atMs)).toBeUndefined();
  }
  expect(await verifiedId(own, '123456', await fresh(24, start + 3_599_999))).toBeUndefined();
  expect(await verifiedId(own, '123456', await fresh(25, start + 3_600_000))).toBe('tries-25');
});
