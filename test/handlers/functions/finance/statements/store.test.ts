/** Two runs of one import: what the first one stored of a part stands. */
import { expect, test } from 'vitest';
import type { BankStatement } from '../../../../../functions/finance/statements/statement.ts';
import { statementStore } from '../../../../../functions/finance/statements/store.ts';
import { newId } from '../../../../../functions/shared/runtime/ids.ts';

const nowMs = Date.now();

async function confirmed(): Promise<BankStatement> {
  const statement: BankStatement = {
    statementId: newId('bst', nowMs),
    applicationId: newId('app', nowMs),
    format: 'csv',
    status: 'importing',
    matches: {},
    totals: {},
    withdrawals: 0,
    notBooked: 0,
    partSizes: [250, 50],
    partsDone: 0,
    results: {},
    createdAtMs: nowMs,
  };
  await statementStore.create(statement, [[], []]);
  return statement;
}

test('the results of a part are those of the run that stored them first', async () => {
  const statement = await confirmed();
  const first = [{ n: 1, result: 'applied' }] as const;
  expect(await statementStore.putResults(statement, 1, first)).toEqual(first);
  expect(await statementStore.putResults(statement, 1, [{ n: 1, result: 'duplicate' }])).toEqual(first);
  expect((await statementStore.part(statement, 1)).results).toEqual(first);
});

test('a part that is counted twice counts once, and takes nothing back', async () => {
  const statement = await confirmed();
  const after = (partsDone: number, applied: number) =>
    statementStore.advance({ ...statement, partsDone, results: { applied } });
  await after(1, 250);
  const last = await after(2, 300);
  expect(last).toMatchObject({ partsDone: 2, results: { applied: 300 } });
  expect(await after(1, 1)).toEqual(last);
  expect(await after(2, 2)).toEqual(last);
});
