import { randomUUID } from 'node:crypto';
import { partition } from '../../../../../functions/shared/contract/keys.ts';
import { queryItems } from '../../../../../functions/shared/table/query.ts';
import { transactWrite, type Write } from '../../../../../functions/shared/table/table.ts';
import { failTable, transactionConflict } from '../../../../support/faults.ts';

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

/** Cancels the first attempts for these reasons. The next one succeeds. */
function cancelTries(count: number, ...codes: string[]) {
  let tries = 0;
  fault = failTable((command) => {
    if (command !== 'TransactWriteItemsCommand' || tries === count) return undefined;
    tries += 1;
    return transactionConflict(...codes);
  });
  return fault;
}

test.each([0, 1, 2])(
  'a transaction returns false and writes nothing when condition %i is not met',
  async (at) => {
    const pk = freshPartition();
    await transactWrite([put(pk, `${at}`)]);
    const writes = [0, 1, 2].map((n) => ifAbsent(pk, `${n}`));
    expect(await transactWrite(writes)).toBe(false);
    expect(await queryItems(pk)).toEqual([{ pk, sk: `${at}` }]);
  },
);

describe('a cancelled transaction', () => {
  test.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'is retried after %s',
    async (code) => {
      const pk = freshPartition();
      cancelTries(1, 'None', code);
      expect(await transactWrite([put(pk, 'a'), put(pk, 'b')])).toBe(true);
      expect(fault?.calls).toHaveLength(2);
      expect(await written(pk)).toEqual(['a', 'b']);
    },
  );

  test('fails after the fifth attempt, and writes nothing', async () => {
    const pk = freshPartition();
    cancelTries(5, 'TransactionConflict');
    await expect(transactWrite([put(pk, 'a')])).rejects.toThrow('Transaction cancelled');
    expect(fault?.calls).toHaveLength(5);
    expect(await written(pk)).toEqual([]);
  });

  test('is not retried when a condition failed, whatever the other reasons', async () => {
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
    ['another reason together with a conflict', ['TransactionConflict', 'ValidationError']],
  ])('is not retried after %s, because a retry cannot succeed', async (_, codes) => {
    cancelTries(1, ...codes);
    await expect(transactWrite([put(freshPartition(), 'a')])).rejects.toThrow('Transaction cancelled');
    expect(fault?.calls).toHaveLength(1);
  });
});
