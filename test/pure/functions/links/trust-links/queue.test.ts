import {
  entryAfterChange,
  isQueuePosition,
  queuePosition,
  shardOf,
} from '../../../../../functions/links/trust-links/queue.ts';
import { newId } from '../../../../../functions/shared/runtime/ids.ts';

describe('the review queue', () => {
  test('sorts by priority, then by time, then by id', () => {
    const at = (priority: boolean, sinceMs: number, id = 'lnk_A') => queuePosition(id, { priority, sinceMs });
    const sorted = [
      ...[at(true, 5), at(true, 6), at(true, 6, 'lnk_B'), at(true, 10_000), at(true, Date.UTC(2026, 10, 22))],
      ...[at(false, 1), at(false, 999), at(false, 1_000), at(false, Date.UTC(2026, 10, 22), 'lnk_Z')],
    ];
    expect(sorted.toSorted()).toEqual(sorted);
  });

  test('is spread evenly over its shards, by the last digit of an id', () => {
    const shards = [...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'].map((digit) => shardOf(`lnk_0${digit}`, 4));
    expect(shards).toEqual(Array.from({ length: 32 }, (_, i) => i % 4));
  });

  test('has positions of a form that a cursor is checked for', () => {
    const position = queuePosition(newId('lnk', 0), { priority: true, sinceMs: 1_000 });
    expect(position).toMatch(/^0#1970-01-01T00:00:01.000Z#lnk_/);
    expect([position, position.replace('0', '1')].map(isQueuePosition)).toEqual([true, true]);
    for (const text of [
      '',
      `x${position}`,
      `${position}0`,
      position.replace('0', '2'),
      position.replace('lnk', 'sub'),
    ])
      expect(isQueuePosition(text), text).toBe(false);
    for (const text of [position.replace('T', ''), position.replace('T', 'X'), position.toLowerCase()])
      expect(isQueuePosition(text), text).toBe(false);
  });

  test('is left by no link that waits, and entered again by one that was reviewed', () => {
    const entry = { priority: true, sinceMs: 1 };
    expect(entryAfterChange.pending(entry, 9)).toBe(entry);
    expect(entryAfterChange.verified(undefined, 9)).toEqual({ priority: true, sinceMs: 9 });
    expect(entryAfterChange.rejected(undefined, 9)).toEqual({ priority: false, sinceMs: 9 });
  });
});
