import { randomUUID } from 'node:crypto';
import { getItem, putItem as put, updateItem } from '../../../functions/shared/table/table.ts';
import { FaultyConnection } from '../../faults/connection.ts';
import type { FaultKind } from '../../faults/kinds.ts';
import { putItem } from '../../support/call.ts';
import { everyOrder, type WrongOrder } from '../../support/orders/every-order.ts';
import type { Meeting } from '../../support/orders/sequences.ts';
import type { Turn } from '../../support/orders/turns.ts';

const keyOf = (id: string, name: string) => ({ pk: `TEST#${id}`, sk: name });

/** A counter, to which each of the works adds one. */
function counting(
  add: (id: string, name: string) => Promise<unknown>,
  names: readonly string[],
): Meeting<string> {
  return {
    setup: async () => {
      const id = randomUUID();
      for (const name of new Set(names)) await putItem({ ...keyOf(id, name), count: 0 });
      return id;
    },
    works: (id) => names.map((name) => () => add(id, name)),
    outcome: async (id) => Promise.all(names.map(async (name) => (await getItem(keyOf(id, name)))?.count)),
  };
}

const guard = { guard: { harmless: 'a test' } };

async function readThenWrite(id: string, name: string): Promise<void> {
  const count = (await getItem(keyOf(id, name)))?.count;
  await put({ ...keyOf(id, name), count: Number(count ?? 0) + 1 }, guard);
}

const inOneWrite = (id: string, name: string) =>
  updateItem(keyOf(id, name), {
    UpdateExpression: 'ADD #count :one',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: { ':one': 1 },
    ...guard,
  });

test('an order in which one of two writes is lost is found, and its schedule repeats it alone', async () => {
  const lossy = counting(readThenWrite, ['a', 'a']);
  const failed: WrongOrder = await everyOrder(lossy).then(
    () => expect.fail('No order is wrong'),
    (error) => error,
  );
  expect(failed.message).toContain('The end is that of no sequence');
  expect(failed.schedule).toBe('A0 B0 A1 B1');
  await expect(everyOrder(lossy, { schedule: failed.schedule })).rejects.toThrow('no sequence');
  await expect(everyOrder(lossy, { schedule: 'A0 A1 B0 B1' })).resolves.toMatchObject({ run: 1 });
});

test('every order of calls that meet is run', async () => {
  expect(await everyOrder(counting(inOneWrite, ['a', 'a', 'a']))).toEqual({
    run: 6,
    same: 0,
    all: 6,
    isCut: false,
  });
});

test('one order is run of calls that do not meet', async () => {
  expect(await everyOrder(counting(readThenWrite, ['a', 'b', 'c']))).toEqual({
    run: 1,
    same: 0,
    all: 90,
    isCut: false,
  });
});

test('a work that meets another in one of its calls has an order for each place of that call', async () => {
  const meeting = counting(readThenWrite, ['a', 'b']);
  const works = (id: string) => [
    () => readThenWrite(id, 'a'),
    async () => {
      await readThenWrite(id, 'b');
      await getItem(keyOf(id, 'a'));
    },
  ];
  expect(await everyOrder({ ...meeting, works })).toMatchObject({ run: 2, same: 0, all: 10 });
});

test('a bound ends the search, and the count says so', async () => {
  expect(await everyOrder(counting(inOneWrite, ['a', 'a', 'a']), { most: 2 })).toMatchObject({
    run: 2,
    isCut: true,
  });
});

test('what a work causes is done at any later point', async () => {
  const meeting = counting(inOneWrite, ['a']);
  const caused = (id: string, { cause }: Turn) => (cause === undefined ? [() => inOneWrite(id, 'a')] : []);
  expect(await everyOrder({ ...meeting, caused })).toMatchObject({ run: 1 });
  const two = counting(inOneWrite, ['a', 'a']);
  // Of two writes and the two that follow from them, an order has the first of each pair before the second.
  expect(await everyOrder({ ...two, caused })).toMatchObject({ run: 6 });
  const lossy = {
    ...two,
    caused: (id: string, { cause, writes }: Turn) =>
      cause === undefined && writes.length > 0 ? [() => readThenWrite(id, 'a')] : [],
  };
  await expect(everyOrder(lossy)).rejects.toThrow('no sequence');
});

test('what a check finds is told with the order', async () => {
  const check = () => {
    throw new Error('Two readers');
  };
  await expect(everyOrder({ ...counting(inOneWrite, ['a']), check })).rejects.toThrow('Two readers');
});

describe('a fault of a call', () => {
  let connection: FaultyConnection;
  beforeEach(() => {
    connection = new FaultyConnection();
  });
  afterEach(() => connection.close());

  const once = (id: string, name: string) =>
    updateItem(keyOf(id, name), {
      UpdateExpression: 'SET #count = :one',
      ConditionExpression: '#count = :none',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':one': 1, ':none': 0 },
      ...guard,
    });
  const faulty = (kind: FaultKind, add: (id: string, name: string) => Promise<unknown>) =>
    everyOrder(counting(add, ['a', 'a']), { fault: { kind, of: { work: 0, nth: 0 }, connection } });

  test('is found when the copy of a write changes something, and is without effect when a condition refuses it', async () => {
    await expect(faulty('late', inOneWrite)).rejects.toThrow('no sequence');
    expect((await faulty('late', once)).run).toBeGreaterThan(2);
  });

  test('is found when the client does not send the request again', async () => {
    await expect(faulty('unreachable', inOneWrite)).rejects.toThrow('no sequence');
    const patient = (id: string, name: string) => inOneWrite(id, name).catch(() => inOneWrite(id, name));
    expect((await faulty('unreachable', patient)).run).toBeGreaterThan(1);
  });
});
