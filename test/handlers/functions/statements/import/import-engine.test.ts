import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { getItem } from '../../../../../functions/shared/table/table.ts';
import { newSeller, type Tenant } from '../../../../support/call.ts';
import { camt, entryXml } from '../../../../support/statements/bank-files.ts';
import {
  confirm,
  readStatement,
  type StatementStage,
  sendFile,
  statementStage,
} from '../../../../support/statements/statement-stage.ts';

let stage: StatementStage;
beforeEach(async () => {
  stage = await statementStage();
});
afterEach(() => stage.stop());

const today = new Date().toISOString().slice(0, 10);

/** A subscription whose first invoice of 9.99 EUR is open. */
async function opened(seller: Tenant) {
  const externalId = await seller.newClient({ name: 'Ada Lovelace' });
  const { body } = await seller.subscribe({ body: { externalId, planId: await seller.newPlan() } });
  return { id: body.subscription._id, reference: body.subscription.referenceNumber, externalId };
}

async function imported(seller: Tenant, entries: readonly string[], decisions?: readonly object[]) {
  const { body } = await sendFile(seller, camt(entries));
  const { _id } = body.statement;
  expect((await confirm(seller, _id, decisions)).status).toBe(202);
  await stage.settle();
  const read = await readStatement(seller, _id);
  expect(read.body.statement.status).toBe('imported');
  return read.body;
}

/** The payments that entries became. */
async function paymentsOf(seller: Tenant, entries: readonly { paymentId: string }[]) {
  const ids = [...new Set(entries.map(({ paymentId }) => paymentId))];
  const items = await Promise.all(ids.map((id) => getItem(keys.payment(seller.applicationId, id))));
  return items.filter((item) => item !== undefined);
}

test('money without a subscription waits, and no text of a payer is taken for a reference number', async () => {
  const seller = await newSeller();
  const { id, reference } = await opened(seller);
  const bare = reference.slice('SUB-'.length);
  const { entries } = await imported(seller, [
    entryXml({ amount: '9.99', text: `Ref ${bare}`, date: today, name: 'Eve' }),
    entryXml({ amount: '9.98', text: '振'.repeat(500), date: today, name: 'Eve' }),
    entryXml({ amount: '9.97', text: '', date: today, name: 'Eve' }),
  ]);
  expect(entries.map(({ match }: { match: string }) => match)).toEqual(['suggested', 'unknown', 'unknown']);
  expect(entries.map(({ result }: { result: string }) => result)).toEqual(Array(3).fill('unapplied'));
  expect((await seller.details(id)).body.subscription.status).toBe('pending');
  expect(await paymentsOf(seller, entries)).toHaveLength(3);
});

test('two files with the same transfer, imported at once, pay one term', async () => {
  const seller = await newSeller();
  const { id, reference } = await opened(seller);
  const entry = entryXml({ amount: '9.99', text: reference, date: today, bankId: 'T-1' });
  const other = entryXml({ amount: '1.00', text: 'other', date: today });
  const statements = [
    await sendFile(seller, camt([entry])),
    await sendFile(seller, camt([entry, other])),
    await sendFile(seller, camt([other, entry])),
  ];
  await Promise.all(statements.map(({ body }) => confirm(seller, body.statement._id)));
  await stage.settle();
  const entries = statements.flatMap(({ body }) => body.entries);
  expect(await paymentsOf(seller, entries)).toHaveLength(2);
  const { subscription } = (await seller.details(id)).body;
  expect(subscription.status).toBe('active');
  expect(subscription.invoices.filter(({ status }: { status: string }) => status === 'paid')).toHaveLength(1);
});
