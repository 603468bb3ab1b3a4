import { randomUUID } from 'node:crypto';
import { partition } from '../../../../../functions/shared/contract/keys.ts';
import { updateNewest } from '../../../../../functions/shared/table/newest-update.ts';
import { getItem } from '../../../../../functions/shared/table/table.ts';
import { countCalls } from '../../../../support/faults.ts';
import { loseAnswersTo } from '../../../../support/interruptions/between.ts';

const freshKey = () => ({ pk: partition('SHARE', randomUUID()), sk: 'X' });
const order = { timeAttribute: 'at', idAttribute: 'by' };

function write(key: ReturnType<typeof freshKey>, writeId: string, nowMs: number) {
  return updateNewest(key, order, { nowMs, writeId }, (atMs) => ({
    UpdateExpression: 'SET #at = :at, #by = :by ADD writes :one',
    ExpressionAttributeNames: { '#at': 'at', '#by': 'by' },
    ExpressionAttributeValues: { ':at': atMs, ':by': writeId, ':one': 1 },
  }));
}

test('an update whose response was lost is written once, and answered as written', async () => {
  const key = freshKey();
  const lossy = loseAnswersTo('UpdateItemCommand', 1);
  const outcome = await write(key, 'a', 100).finally(lossy.restore);
  const item = { ...key, at: 100, by: 'a', writes: 1 };
  // The response that was lost is the only one: the next attempt is refused.
  expect([lossy.sent(), outcome]).toEqual([1, { done: true, item }]);
});

test('an update by a slow clock is written after the newest one', async () => {
  const key = freshKey();
  await write(key, 'a', 100);
  expect(await countCalls(() => write(key, 'b', 40))).toHaveLength(2);
  expect(await getItem(key)).toMatchObject({ at: 101, by: 'b', writes: 2 });
  expect(await countCalls(() => write(key, 'c', 200))).toHaveLength(1);
});

test('five concurrent updates of one time are all written', async () => {
  const key = freshKey();
  await Promise.all(Array.from({ length: 5 }, (_, i) => write(key, `${i}`, 100)));
  expect(await getItem(key)).toMatchObject({ at: 100, writes: 5 });
});
