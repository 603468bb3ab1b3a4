/** Two people or programs that confirm a bank statement at the same time, under every order of their calls to the table. */
import { atOnce, statusesOf, told } from '../../support/orders/at-once.ts';
import { decided } from '../../support/statements/deciding.ts';
import { confirm } from '../../support/statements/statement-stage.ts';

test('a statement that the API and a page confirm is confirmed with the decisions of one', async () => {
  const begin = async () => {
    const { seller, statementId, olga, act } = await decided();
    return {
      works: [
        () => told(confirm(seller, statementId, [{ entryId: '1', skip: true }])),
        () => told(act(olga, { action: 'confirm', version: '0', reason: 'November.' })),
      ],
      check: (results: readonly unknown[]) =>
        expect([
          [202, 409],
          [303, 409],
        ]).toContainEqual(statusesOf(results)),
    };
  };
  expect((await atOnce(begin)).run).toBeGreaterThan(1);
});
