import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { partition } from '../../../../functions/shared/contract/keys.ts';
import { getItem, queryItems, transactWrite, type Write } from '../../../../functions/shared/table/table.ts';
import { failTable } from '../../../support/faults.ts';
import { loseAnswers } from '../../vault/between.ts';

let fault: ReturnType<typeof failTable> | undefined;

afterEach(() => {
  fault?.restore();
  fault = undefined;
});

const freshPartition = () => partition('SHARE', randomUUID());
const put = (pk: string, sk: string): Write => ({ Put: { Item: { pk, sk } } });
const ifAbsent = (pk: string, sk: string): Write => ({
  Put: { Item: { pk, sk, isNew: true }, ConditionExpression: 'attribute_not_exists(pk)' },
});
const written = async (pk: string) => (await queryItems(pk)).map(({ sk }) => sk);

/** The error of a cancelled transaction, with a reason for each of its writes. */
const cancelled = (...codes: (string | undefined)[]) =>
  Object.assign(new Error('cancelled'), {
    name: 'TransactionCanceledException',
    CancellationReasons: codes.map((Code) => (Code === undefined ? {} : { Code })),
  });

/** Cancels that many tries for those reasons; the next is carried out. */
function cancelTries(count: number, ...codes: (string | undefined)[]) {
  fault = failTable((_, index) => (index < count ? cancelled(...codes) : undefined));
  return fault;
}

describe('a transaction', () => {
  test('writes all of it: puts, updates and deletes', async () => {
    const pk = freshPartition();
    await transactWrite([put(pk, 'a'), put(pk, 'b')]);
    const updated: Write = {
      Update: {
        Key: { pk, sk: 'a' },
        UpdateExpression: 'SET seen = :seen',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':seen': 1 },
      },
    };
    expect(await transactWrite([put(pk, 'c'), updated, { Delete: { Key: { pk, sk: 'b' } } }])).toBe(true);
    expect(await written(pk)).toEqual(['a', 'c']);
    expect(await getItem({ pk, sk: 'a' })).toEqual({ pk, sk: 'a', seen: 1 });
  });

  test.each([0, 1, 2])(
    'whose condition number %i is not met says false and writes nothing of it',
    async (at) => {
      const pk = freshPartition();
      await transactWrite([put(pk, `${at}`)]);
      const writes = [0, 1, 2].map((n) => ifAbsent(pk, `${n}`));
      expect(await transactWrite(writes)).toBe(false);
      expect(await queryItems(pk)).toEqual([{ pk, sk: `${at}` }]);
    },
  );

  test('of 20 under one condition exactly one is carried out', async () => {
    const pk = freshPartition();
    const done = await Promise.all(
      Array.from({ length: 20 }, (_, i) => transactWrite([ifAbsent(pk, 'one'), put(pk, `by ${i}`)])),
    );
    expect(done.filter(Boolean)).toHaveLength(1);
    expect((await written(pk)).sort()).toEqual([`by ${done.indexOf(true)}`, 'one']);
  });

  test('whose answer is lost is sent again by the SDK and carried out once', async () => {
    const pk = freshPartition();
    const count: Write = {
      Update: {
        Key: { pk, sk: 'count' },
        UpdateExpression: 'ADD #times :one',
        ConditionExpression: 'attribute_not_exists(#never)',
        ExpressionAttributeNames: { '#times': 'times', '#never': 'never' },
        ExpressionAttributeValues: { ':one': 1 },
      },
    };
    const loss = loseAnswers('TransactWriteItemsCommand', 1);
    expect(await transactWrite([count]).finally(loss.restore)).toBe(true);
    expect(loss.sent()).toBe(2);
    expect(await getItem({ pk, sk: 'count' })).toMatchObject({ times: 1 });
  });
});

describe('a transaction that was cancelled', () => {
  test.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'for %s is tried again',
    async (code) => {
      const pk = freshPartition();
      cancelTries(1, 'None', code);
      expect(await transactWrite([put(pk, 'a'), put(pk, 'b')])).toBe(true);
      expect(fault?.calls).toHaveLength(2);
      expect(await written(pk)).toEqual(['a', 'b']);
    },
  );

  test('is tried five times in all, with a wait before each', async () => {
    const startMs = performance.now();
    cancelTries(4, 'TransactionConflict');
    expect(await transactWrite([put(freshPartition(), 'a')])).toBe(true);
    expect(fault?.calls).toHaveLength(5);
    // A millisecond each at the least; timers round.
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(3);
  });

  test('for the fifth time is given up, and nothing is written', async () => {
    const pk = freshPartition();
    cancelTries(5, 'TransactionConflict');
    await expect(transactWrite([put(pk, 'a')])).rejects.toThrow('cancelled');
    expect(fault?.calls).toHaveLength(5);
    expect(await written(pk)).toEqual([]);
  });

  test('for several passing reasons at once is tried again', async () => {
    cancelTries(1, 'TransactionConflict', undefined, 'ThrottlingError');
    expect(await transactWrite([put(freshPartition(), 'a')])).toBe(true);
    expect(fault?.calls).toHaveLength(2);
  });

  test('for a condition is not tried again, whatever else it was cancelled for', async () => {
    for (const codes of [['ConditionalCheckFailed'], ['TransactionConflict', 'ConditionalCheckFailed']]) {
      const cancel = cancelTries(1, ...codes);
      expect(await transactWrite([put(freshPartition(), 'a')])).toBe(false);
      expect(cancel.calls).toHaveLength(1);
      cancel.restore();
    }
    fault = undefined;
  });

  test.each([
    ['another reason', ['ValidationError']],
    ['its size', ['ItemCollectionSizeLimitExceeded']],
    ['another reason beside a conflict', ['TransactionConflict', 'ValidationError']],
    ['no reason', []],
  ])('for %s is given up at once: it would not pass next time either', async (_, codes) => {
    cancelTries(1, ...codes);
    await expect(transactWrite([put(freshPartition(), 'a')])).rejects.toThrow('cancelled');
    expect(fault?.calls).toHaveLength(1);
  });

  test('any other error is thrown as it is', async () => {
    fault = failTable(() => new Error('connection lost'));
    await expect(transactWrite([put(freshPartition(), 'a')])).rejects.toThrow('connection lost');
    expect(fault.calls).toHaveLength(1);
  });

  test('more than a transaction holds is refused by the table, and nothing is written', async () => {
    const pk = freshPartition();
    const writes = Array.from({ length: 101 }, (_, i) => put(pk, `${i}`));
    await expect(transactWrite(writes)).rejects.toThrow();
    expect(await written(pk)).toEqual([]);
  });
});
