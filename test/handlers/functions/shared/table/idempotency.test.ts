import { randomUUID } from 'node:crypto';
import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { IdempotencyKey } from '../../../../../functions/shared/fields/idempotency-key.ts';
import { dayMs } from '../../../../../functions/shared/runtime/clock.ts';
import {
  idempotentRequest,
  storedResponse,
  writeIdempotently,
} from '../../../../../functions/shared/table/idempotency.ts';
import { getItem } from '../../../../../functions/shared/table/table.ts';
import { putItem } from '../../../../support/call.ts';
import { failTable, transactionConflict } from '../../../../support/faults.ts';

const nowMs = Date.parse('2026-03-01T10:00:00Z');
const request = (
  more: { owner?: string; key?: string; body?: unknown; path?: string; userId?: string } = {},
) => {
  const {
    owner = `app-${randomUUID()}`,
    key = 'key-1',
    body = { a: 1 },
    path = '/x',
    userId = 'user-1',
  } = more;
  const route = { method: 'POST', path };
  const keyed = idempotentRequest(owner, { 'idempotency-key': key }, route, body, userId);
  if (keyed === undefined) throw new Error('No key');
  return keyed;
};
const work = () => {
  const key = keys.plan(`app-${randomUUID()}`, 'pln_1');
  return { key, writes: [{ Put: { Item: { ...key, made: true } } }] };
};

test('a key is 1 to 255 visible ASCII characters', () => {
  for (const good of ['a', '"quoted"', '~!', 'x'.repeat(255)])
    expect(IdempotencyKey.safeParse(good).success).toBe(true);
  for (const bad of ['', 'x'.repeat(256), 'a b', 'a\n', 'ä', '\u007f', 'a\u0000'])
    expect(IdempotencyKey.safeParse(bad).success).toBe(false);
});

test('a repeated request gets the first response for 24 hours, and is carried out again after that', async () => {
  const keyed = request();
  expect(await storedResponse(keyed, nowMs)).toBeUndefined();
  expect(await writeIdempotently(keyed, work().writes, { id: 1 }, nowMs)).toEqual({ id: 1 });
  const second = work();
  const lateMs = nowMs + dayMs - 1;
  expect(await storedResponse(keyed, lateMs)).toEqual({ id: 1 });
  expect(await writeIdempotently(keyed, second.writes, { id: 2 }, lateMs)).toEqual({ id: 1 });
  expect(await getItem(second.key)).toBeUndefined();
  // DynamoDB has not deleted the record yet.
  expect(await storedResponse(keyed, nowMs + dayMs)).toBeUndefined();
  expect(await writeIdempotently(keyed, second.writes, { id: 3 }, nowMs + dayMs)).toEqual({ id: 3 });
  expect(await getItem(keys.idempotency(keyed.owner, keyed.key))).toMatchObject({
    ttl: (nowMs + 2 * dayMs) / 1000,
  });
});

test.each([
  ['body', { body: { a: 2 } }],
  ['path', { path: '/y' }],
  ['user', { userId: 'user-2' }],
])('a key reused with a different %s is a mismatch, before and within the transaction', async (_, other) => {
  const keyed = request();
  await writeIdempotently(keyed, work().writes, { id: 1 }, nowMs);
  const another = request({ owner: keyed.owner, ...other });
  await expect(storedResponse(another, nowMs)).rejects.toMatchObject({ code: 'idempotency_mismatch' });
  const { key, writes } = work();
  await expect(writeIdempotently(another, writes, { id: 2 }, nowMs)).rejects.toMatchObject({
    code: 'idempotency_mismatch',
  });
  expect(await getItem(key)).toBeUndefined();
});

test('keys are scoped to their application', async () => {
  await writeIdempotently(request({ key: 'same' }), work().writes, { id: 1 }, nowMs);
  expect(await storedResponse(request({ key: 'same' }), nowMs)).toBeUndefined();
});

test('a request whose own condition fails has no response and no record', async () => {
  const keyed = request();
  const { key } = work();
  await putItem({ ...key, made: true });
  const writes = [{ Put: { Item: { ...key }, ConditionExpression: 'attribute_not_exists(pk)' } }];
  expect(await writeIdempotently(keyed, writes, { id: 1 }, nowMs)).toBeUndefined();
  expect(await storedResponse(keyed, nowMs)).toBeUndefined();
});

test('a request that keeps conflicting with others is reported as in progress', async () => {
  const fault = failTable((command) =>
    command.startsWith('TransactWrite') ? transactionConflict('None', 'TransactionConflict') : undefined,
  );
  try {
    await expect(writeIdempotently(request(), work().writes, {}, nowMs)).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    });
    expect(fault.calls.length).toBeGreaterThan(1);
  } finally {
    fault.restore();
  }
});
