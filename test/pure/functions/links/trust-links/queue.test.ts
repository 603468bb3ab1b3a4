import { describe, expect, test } from 'vitest';
import { queuePosition, shardOf } from '../../../../../functions/links/trust-links/queue.ts';
import { newId } from '../../../../../functions/shared/runtime/ids.ts';

describe('the review queue', () => {
  test('sorts by priority, then by time, then by id', () => {
    const at = (priority: boolean, sinceMs: number, id = 'lnk_A') => queuePosition(id, { priority, sinceMs });
    const sorted = [
      ...[at(true, 5), at(true, 6), at(true, 6, 'lnk_B'), at(true, 10_000), at(true, Date.now())],
      ...[at(false, 1), at(false, 999), at(false, 1_000), at(false, Date.now(), 'lnk_Z')],
    ];
    expect(sorted.toSorted()).toEqual(sorted);
  });

  test('is spread evenly over its shards', () => {
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < 4_000; i += 1) {
      const shard = shardOf(newId('lnk', 0), 4);
      counts[shard] = (counts[shard] ?? 0) + 1;
    }
    for (const count of counts) expect(count).toBeGreaterThan(850);
  });
});
