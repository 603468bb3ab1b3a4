import { expect, test, vi } from 'vitest';
import { asFile, camt, entryXml } from '../../../support/statements/bank-files.ts';
import { killableStack } from '../../../support/subscriptions/killable-stack.ts';
import type { subscriptionClient } from '../../../support/subscriptions/stack.ts';
import { samples } from '../../../support/thoroughness.ts';

const { start, kill } = killableStack();

const count = 300;

test('each kill -9 while a bank statement is imported loses no entry, and records none twice', async () => {
  let stack = await start();
  const { _id, apiKey } = await stack.application();
  let seller = stack.known(_id, apiKey);
  const plan = await seller.plan();
  const { id } = await seller.subscribe(await seller.client('payer'), plan);
  const { referenceNumber } = await seller.read(id);
  // Every tenth entry pays the same subscription: the others wait for a decision.
  const file = asFile(
    camt(
      Array.from({ length: count }, (_, i) =>
        entryXml({ bankId: `B-${i}`, amount: `${i + 1}.00`, text: i % 10 === 0 ? referenceNumber : 'Danke' }),
      ),
    ),
  );
  const sent = await seller.call('POST', '/api/v1/bank-statements', { format: 'camt.053', file });
  expect([sent.status, sent.body.statement.matches]).toMatchObject([
    201,
    { matched: count / 10, unknown: count * 0.9 },
  ]);
  const statementId = sent.body.statement._id;
  expect((await seller.call('POST', `/api/v1/bank-statements/${statementId}/confirm`, {})).status).toBe(202);

  const paymentCount = async () => (await allPayments(seller)).length;
  let recorded = 0;
  for (let kills = samples({ few: 1, many: 3 }); kills > 0 && recorded < count; kills -= 1) {
    const before = recorded;
    const goesOn = async () => expect(await paymentCount()).toBeGreaterThan(before);
    await vi.waitFor(goesOn, { timeout: 60_000, interval: 5 });
    await kill();
    stack = await start();
    seller = stack.known(_id, apiKey);
    recorded = await paymentCount();
    // The first kill comes in the middle.
    if (before === 0) expect(recorded).toBeLessThan(count);
  }
  await vi.waitFor(
    async () => {
      const { body } = await seller.call('GET', `/api/v1/bank-statements/${statementId}`);
      expect(body.statement.status).toBe('imported');
    },
    { timeout: 120_000, interval: 500 },
  );

  const { body } = await seller.call('GET', `/api/v1/bank-statements/${statementId}`);
  expect(body.statement.progress).toMatchObject({ done: count, results: { failed: 0, duplicate: 0 } });
  const payments = await allPayments(seller);
  expect(payments).toHaveLength(count);
  expect(new Set(payments.map(({ amount }) => amount)).size).toBe(count);
  // The money of the subscription is there once: the sum of 1, 11, 21, …
  const ofSubscription = payments.filter(({ subscriptionId }) => subscriptionId === id);
  const sum = (field: 'amount' | 'credited') =>
    ofSubscription.reduce((total, payment) => total + payment[field], 0);
  const { invoices } = await seller.read(id);
  const paid = invoices.filter(({ status }) => status === 'paid');
  const creditUsed = sum('credited');
  const applied = payments.flatMap(({ applied }) => applied).reduce((total, part) => total + part.amount, 0);
  expect(ofSubscription).toHaveLength(count / 10);
  expect(sum('amount')).toBe(applied + creditUsed);
  expect(paid).toHaveLength(1);
});

interface ListedPayment {
  amount: number;
  credited: number;
  subscriptionId?: string;
  applied: { amount: number }[];
}

async function allPayments(
  seller: ReturnType<ReturnType<typeof subscriptionClient>['known']>,
): Promise<ListedPayment[]> {
  const found: ListedPayment[] = [];
  let cursor = '';
  do {
    const { status, body } = await seller.call('GET', `/api/v1/payments?limit=100${cursor}`);
    expect(status).toBe(200);
    found.push(...body.payments);
    cursor = body.nextCursor === undefined ? '' : `&cursor=${body.nextCursor}`;
  } while (cursor !== '');
  return found;
}
