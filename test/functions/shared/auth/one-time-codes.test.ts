import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { deploymentKey } from '../../../../functions/shared/auth/deployment-key.ts';
import { rememberVerifiedSources, sourceHash } from '../../../../functions/shared/auth/mailbox-store.ts';
import {
  type CodePurpose,
  type CodeSlot,
  codeConsumption,
  type RightCode,
} from '../../../../functions/shared/auth/one-time-code.ts';
import { codeLifetimeMs, withdrawCode } from '../../../../functions/shared/auth/one-time-codes.ts';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { transactWrite } from '../../../../functions/shared/table/table.ts';
import { stored } from '../../../support/devices/accounts.ts';
import { freshRequester, rightCode, store, tryCode, verifiedId } from '../../../support/devices/codes.ts';
import { roundTrips } from '../../../support/faults.ts';
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

  test('costs one round trip to verify, whether it was sent or not', async () => {
    const slot = await slotWithCode();
    const trip = ['GetItemCommand', 'UpdateItemCommand', 'UpdateItemCommand'];
    expect(await roundTrips(() => verifiedId(slot, '000000', start))).toEqual([trip]);
    expect(await roundTrips(() => verifiedId(freshSlot(), '000000', start))).toEqual([trip]);
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
  /** The code of the slot, found right at `start`. */
  async function found(slot: CodeSlot, requester = freshRequester()): Promise<RightCode> {
    const right = await rightCode(slot, first.code, start, requester);
    if (right === undefined) throw new Error('The code is wrong');
    return right;
  }

  test('succeeds once, even for 20 concurrent requests', async () => {
    for (let round = 0; round < 5; round += 1) {
      const slot = await slotWithCode();
      const right = await found(slot);
      const passed = await Promise.all(
        Array.from({ length: 20 }, () => transactWrite(codeConsumption(right, start))),
      );
      expect(passed.filter(Boolean)).toHaveLength(1);
      expect(await verifiedId(slot, first.code, start)).toBeUndefined();
    }
  });

  test.each([
    ['for a replaced code', 'first', start, second],
    ['for another code', 'third', start, undefined],
    ['for a code that is 300 s old', 'first', start + 300_000, undefined],
  ])(
    'fails %s, leaves the stored code, counts the try and remembers nobody',
    async (_, codeId, now, next) => {
      const slot = await slotWithCode();
      const requester = freshRequester();
      const right = await found(slot, requester);
      if (next) await store(slot, next, start);
      expect(await transactWrite(codeConsumption({ ...right, codeId }, now))).toBe(false);
      expect((await stored.code(slot.email))?.codeHash).toHaveLength(32);
      expect((await stored.tries(requester.block))?.tries).toHaveLength(1);
      expect(await stored.verifiedSources(slot.email)).toBeUndefined();
    },
  );

  test('gives the try back, remembers the requester, and does not reset the count of sent codes', async () => {
    const slot = await slotWithCode();
    const requester = freshRequester();
    await transactWrite(codeConsumption(await found(slot, requester), start));
    expect(await stored.tries(requester.block)).not.toHaveProperty('tries');
    const hash = await sourceHash(slot.email, `block:${requester.block}`);
    expect(await stored.verifiedSources(slot.email)).toMatchObject({ [`v:${hash}`]: start });
    expect((await stored.sentCodes(slot.email))?.strangers).toHaveLength(1);
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

describe('a code that a verified requester asked for', () => {
  const owner = freshRequester();

  /** A mailbox that the owner verified, with a code that the owner asked for. */
  async function ownedSlot(): Promise<CodeSlot> {
    const slot = freshSlot();
    await transactWrite([await rememberVerifiedSources(slot.email, owner, start)]);
    await store(slot, first, start, owner);
    return slot;
  }

  test('cannot be voided from other blocks, which get two attempts', async () => {
    const slot = await ownedSlot();
    await Promise.all(Array.from({ length: 30 }, () => tryCode(slot, '000000', start)));
    expect(await stored.code(slot.email)).toMatchObject({ attempts: 2 });
    expect(await verifiedId(slot, first.code, start)).toBeUndefined();
    for (let n = 0; n < 2; n += 1) await tryCode(slot, '000000', start, owner);
    expect(await verifiedId(slot, first.code, start, owner)).toBe('first');
  });

  test('is void after five wrong attempts in all', async () => {
    const slot = await ownedSlot();
    for (let n = 0; n < 5; n += 1) await tryCode(slot, '000000', start, owner);
    expect(await verifiedId(slot, first.code, start, owner)).toBeUndefined();
    expect(await stored.code(slot.email)).toMatchObject({ attempts: 5 });
  });

  test('may be used from another block, such as that of a phone', async () => {
    expect(await verifiedId(await ownedSlot(), first.code, start)).toBe('first');
  });
});

test('codes and proofs have different keys', async () => {
  expect((await deploymentKey('codes')).equals(await deploymentKey('proofs'))).toBe(false);
  expect(await deploymentKey('codes')).toHaveLength(32);
});
