import { newId } from '../../../../../functions/shared/runtime/ids.ts';
import { getItem } from '../../../../../functions/shared/table/table.ts';
import { leaveOutPdfs } from '../../../../support/call.ts';
import { Seeded } from '../../../../support/parallel/seeded.ts';
import { inTurns, seedRandomValues } from '../../../../support/subscriptions/walks/turns.ts';
import { walk } from '../../../../support/subscriptions/walks/walk.ts';
import { samples } from '../../../../support/thoroughness.ts';

leaveOutPdfs();

/**
 * `npm run walks -- 6000 --seed N` sets both. The walks of the suite are the same in every run. A failure prints the seed of
 * the client that it met.
 */
const steps = Number(process.env.WALK_STEPS ?? samples({ few: 30, many: 2_000 }));
const seed = Number(process.env.WALK_SEED ?? 1);

test('after every step of a random walk money balances, no paid day is lost or given twice, and numbers and events have no gap', {
  timeout: 12 * 3_600_000,
}, async () => {
  const report = await walk(steps, seed);
  if (process.env.WALK_STEPS !== undefined)
    process.stdout.write(`${JSON.stringify({ seed, ...report }, undefined, 2).replaceAll('\\n', '\n')}\n`);
  expect(report.failures).toEqual([]);
  expect(report.contradictions).toEqual({});
  expect(report.steps).toBe(steps);
});

test('a seed determines the ids of a walk, and the order of what happens at the same time', async () => {
  const readThrice = (name: string, order: string[]) => async () => {
    for (let i = 0; i < 3; i += 1) {
      await getItem({ pk: name, sk: name });
      order.push(name);
    }
  };
  const orderOf = async (drawn: number) => {
    const order: string[] = [];
    const restore = seedRandomValues(drawn);
    order.push(newId('inv', 1));
    restore();
    await inTurns(
      ['a', 'b', 'c'].map((name) => readThrice(name, order)),
      new Seeded(drawn),
    );
    return order.join();
  };
  const orders = [await orderOf(1), await orderOf(1), await orderOf(2)];
  expect(orders[1]).toBe(orders[0]);
  expect(new Set(orders).size).toBe(2);
  expect(orders.map((order) => order.split(',').slice(1).toSorted().join(''))).toEqual(
    Array(3).fill('aaabbbccc'),
  );
  expect(newId('inv', 1)).not.toBe(newId('inv', 1));
});

test('of works at the same time, one can wait for another one, and a failure is thrown', async () => {
  const read = async () => getItem({ pk: 'a', sk: 'a' });
  let shared: ReturnType<typeof read> | undefined;
  const reading = () => {
    shared ??= read();
    return shared;
  };
  const failing = async () => {
    await read();
    throw new RangeError('refused');
  };
  expect(await inTurns([reading, reading, read], new Seeded(1))).toEqual(Array(3).fill(undefined));
  await expect(inTurns([read, failing], new Seeded(1))).rejects.toThrow('refused');
});
