import { randomUUID } from 'node:crypto';
import { newPass } from '../../../../../../functions/shared/auth/codes/mailbox-pass.ts';
import { requesterOf, sourceHash } from '../../../../../../functions/shared/auth/codes/mailbox-store.ts';
import {
  type CodePurpose,
  type CodeSlot,
  codeConsumption,
  type RightCode,
} from '../../../../../../functions/shared/auth/codes/one-time-code.ts';
import * as keys from '../../../../../../functions/shared/contract/keys.ts';
import { transactWrite } from '../../../../../../functions/shared/table/table.ts';
import { putItem } from '../../../../../support/call.ts';
import { stored } from '../../../../../support/devices/accounts.ts';
import * as codes from '../../../../../support/devices/codes.ts';
import { loseAnswersTo } from '../../../../../support/interruptions/between.ts';

const start = Date.parse('2026-03-10T10:00:00Z');
const freshSlot = (purpose = 'device'): CodeSlot => ({
  purpose: purpose as CodePurpose,
  email: `${randomUUID()}@example.com`,
});
const first = { code: '123456', codeId: 'first' };
const second = { code: '654321', codeId: 'second' };

/** A slot with the first code, stored at `start`. */
async function slotWithCode(requester = codes.freshRequester()): Promise<CodeSlot> {
  const slot = freshSlot();
  expect(await codes.store(slot, first, start, requester)).toEqual(slot);
  return slot;
}

test('a code does not match when its record is copied to another address or purpose', async () => {
  const slot = await slotWithCode();
  const record = await stored.code(slot.email);
  for (const other of [{ ...slot, purpose: 'consent' as CodePurpose }, freshSlot()]) {
    await putItem({ ...record, ...keys.code(other.purpose, other.email) });
    expect(await codes.verifiedId(other, first.code, start)).toBeUndefined();
  }
});

describe('attempts', () => {
  test('exactly five of concurrent correct attempts are compared', async () => {
    const requester = codes.freshRequester();
    const slot = await slotWithCode(requester);
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        codes.verifiedId(slot, first.code, start, n < 8 ? requester : undefined),
      ),
    );
    expect(results.filter((codeId) => codeId === 'first')).toHaveLength(5);
    expect(await stored.code(slot.email)).toMatchObject({ attempts: 5 });
  });

  test('count once, when their answers are lost and the writes are sent again', async () => {
    const requester = codes.freshRequester();
    const slot = await slotWithCode(requester);
    for (let n = 0; n < 4; n += 1) await codes.verifiedId(slot, '000000', start, requester);
    const lost = loseAnswersTo('UpdateItemCommand', 3);
    expect(await codes.verifiedId(slot, first.code, start, requester).finally(lost.restore)).toBe('first');
    expect(lost.sent()).toBeGreaterThan(3);
    expect(await stored.code(slot.email)).toMatchObject({ attempts: 5 });
  });
});

describe('consuming a code', () => {
  /** The code of the slot, found right at `start`. */
  async function found(slot: CodeSlot, requester = codes.freshRequester()): Promise<RightCode> {
    const right = await codes.rightCode(slot, first.code, start, requester);
    if (right === undefined) throw new Error('The code is wrong');
    return right;
  }

  test.each([
    ['for a replaced code', 'first', start, second],
    ['for a code that is 300 s old', 'first', start + 300_000, undefined],
  ])(
    'fails %s, leaves the stored code, counts the try and remembers nobody',
    async (_, codeId, now, next) => {
      const slot = await slotWithCode();
      const requester = codes.freshRequester();
      const right = await found(slot, requester);
      if (next) await codes.store(slot, next, start);
      expect(await transactWrite(codeConsumption({ ...right, codeId }, now))).toBe(false);
      expect((await stored.code(slot.email))?.codeHash).toHaveLength(32);
      expect((await stored.tries(requester.block))?.tries).toHaveLength(1);
      expect(await stored.verifiedSources(slot.email)).toBeUndefined();
    },
  );

  test('gives the try back, remembers the requester, and does not reset the count of sent codes', async () => {
    const slot = await slotWithCode();
    const requester = codes.freshRequester();
    await transactWrite(codeConsumption(await found(slot, requester), start));
    expect(await stored.tries(requester.block)).not.toHaveProperty('tries');
    const hash = await sourceHash(slot.email, `block:${requester.block}`);
    expect(await stored.verifiedSources(slot.email)).toMatchObject({ [`v:${hash}`]: start });
    expect((await stored.sentCodes(slot.email))?.strangers).toHaveLength(1);
  });
});

describe('a code that somebody asked for', () => {
  const owner = codes.freshRequester();

  test('cannot be voided from other blocks, which get two attempts', async () => {
    const slot = await slotWithCode(owner);
    await Promise.all(Array.from({ length: 6 }, () => codes.tryCode(slot, '000000', start)));
    expect(await stored.code(slot.email)).toMatchObject({ attempts: 2 });
    expect(await codes.verifiedId(slot, first.code, start)).toBeUndefined();
    for (let n = 0; n < 2; n += 1) await codes.tryCode(slot, '000000', start, owner);
    expect(await codes.verifiedId(slot, first.code, start, owner)).toBe('first');
  });
});

describe('a code of a holder', () => {
  test('is apart from that of the address: neither replaces, voids or matches the other', async () => {
    const slot = await slotWithCode();
    const held = { ...slot, holder: 'browser' };
    await codes.store(held, second, start);
    await codes.store({ ...slot, holder: 'other' }, { code: '111111', codeId: 'third' }, start);
    for (let n = 0; n < 5; n += 1) await codes.tryCode(slot, '000000', start);
    expect(await codes.verifiedId(slot, second.code, start)).toBeUndefined();
    expect(await codes.verifiedId({ ...slot, holder: 'other' }, second.code, start)).toBeUndefined();
    expect(await codes.verifiedId(held, first.code, start)).toBeUndefined();
    expect(await codes.verifiedId(held, second.code, start)).toBe('second');
  });

  test('belongs to the source that asked for it, whose caller may also use that of the address', async () => {
    const slot = await slotWithCode(requesterOf('192.0.2.1'));
    const owner = requesterOf('192.0.2.1', { passes: [await newPass(slot.email, start)] });
    expect(await codes.store(slot, second, start, owner)).toMatchObject({ holder: expect.any(String) });
    expect(await codes.verifiedId(slot, second.code, start)).toBeUndefined();
    expect(await codes.verifiedId(slot, second.code, start, owner)).toBe('second');
    expect(await codes.verifiedId(slot, first.code, start, owner)).toBe('first');
  });

  test('can be tried by its holder when the address block has no tries left', async () => {
    const slot = freshSlot();
    const block = codes.freshRequester();
    const owner = { ...block, shown: { passes: [await newPass(slot.email, start)] } };
    await codes.store(slot, second, start, owner);
    for (let n = 0; n < 30; n += 1) await codes.tryCode(freshSlot(), '000000', start, block);
    expect(await codes.tryCode(slot, second.code, start, block)).toMatchObject({ result: 'limited' });
    expect(await codes.verifiedId(slot, second.code, start, owner)).toBe('second');
  });
});
