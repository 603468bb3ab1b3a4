import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  type CountedTry,
  countTry,
  peekTries,
  returnTry,
  tryReturn,
  wrongCodeLimit,
} from '../../../../../functions/shared/auth/code-tries.ts';
import { hourMs } from '../../../../../functions/shared/runtime/duration.ts';
import { transactWrite } from '../../../../../functions/shared/table/table.ts';
import { freshAddress } from '../../../../support/call.ts';
import { stored } from '../../../../support/devices/accounts.ts';
import { holdFirstAttempt } from '../../../../support/faults.ts';

const start = Date.parse('2026-06-01T00:00:00Z');
const count = (block: string, atMs = start) => countTry(block, randomUUID(), atMs);
const counted = (results: (CountedTry | object)[]) => results.filter((one) => 'name' in one) as CountedTry[];
const many = (n: number, block: string, atMs = start) =>
  Promise.all(Array.from({ length: n }, () => count(block, atMs)));

describe('tries of an address block', () => {
  test('are 30 of 36 concurrent ones', async () => {
    const block = freshAddress();
    expect(counted(await many(36, block))).toHaveLength(wrongCodeLimit.max);
    expect((await stored.tries(block))?.tries).toHaveLength(30);
  });

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
