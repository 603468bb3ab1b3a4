import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { call, deleteItem, newSeller, type Tenant } from '../../../../support/call.ts';
import { camt, entryXml } from '../../../../support/statements/bank-files.ts';
import * as statements from '../../../../support/statements/statement-stage.ts';

let stage: statements.StatementStage;
beforeEach(async () => {
  stage = await statements.statementStage();
});
afterEach(() => stage.stop());

async function stageOfTwo() {
  const seller = await newSeller('none', { invoices: { numbering: 'seller', invoicePrefix: 'RE-' } });
  const one = await seller.subscribed();
  const two = await seller.subscribed();
  return { seller, one, two };
}

const invoicesOf = async (seller: Tenant, id: string) =>
  (await seller.details(id)).body.subscription.invoices;
const payments = async (seller: Tenant) =>
  (await call('payments.list', { headers: seller.headers })).body.payments;
const send = async (seller: Tenant, amount: string, text: string) =>
  (await statements.sendFile(seller, camt([entryXml({ amount, text })]))).body;

async function imported(seller: Tenant, id: string, decisions?: readonly object[]) {
  const { status, text } = await statements.confirm(seller, id, decisions);
  expect(status, text).toBe(202);
  await stage.settle();
  return (await statements.readStatement(seller, id)).body.entries;
}

test('a transfer that names an invoice of the seller pays it', async () => {
  const { seller, one } = await stageOfTwo();
  const dry = await send(seller, '9.99', 're 000001');
  expect(dry.entries).toMatchObject([
    {
      match: 'matched',
      candidates: [{ subscriptionId: one.id, invoiceNumber: 'RE-000001', amountDue: 9.99 }],
    },
  ]);
  expect(await imported(seller, dry.statement._id)).toMatchObject([{ result: 'applied' }]);
  const { invoiceId } = dry.entries[0].candidates[0];
  expect(await payments(seller)).toMatchObject([
    { invoiceId, applied: [{ number: 'RE-000001', amount: 9.99 }] },
  ]);
});

test('a transfer for two clients is divided as they are named, once', async () => {
  const { seller, one, two } = await stageOfTwo();
  const dry = await send(seller, '19.98', 'RE-000001 und RE-000002');
  expect(dry.entries).toMatchObject([{ match: 'matched', split: [{ amount: 9.99 }, { amount: 9.99 }] }]);
  const again = await send(seller, '19.98', 'RE-000001 und RE-000002');
  expect(await imported(seller, dry.statement._id)).toMatchObject([{ result: 'applied' }]);
  expect(await imported(seller, again.statement._id)).toMatchObject([{ result: 'duplicate' }]);
  expect(await payments(seller)).toMatchObject([
    { status: 'applied', credited: 0, applied: [{ number: 'RE-000001' }, { number: 'RE-000002' }] },
  ]);
  for (const { id } of [one, two]) expect(await invoicesOf(seller, id)).toMatchObject([{ status: 'paid' }]);
});

test('a transfer whose parts do not add up waits, or is divided as the seller decides', async () => {
  const { seller, one, two } = await stageOfTwo();
  const dry = await send(seller, '15.00', 'RE-000001 und RE-000002');
  expect(dry.entries).toMatchObject([{ match: 'suggested', candidates: [{}, {}] }]);
  expect(dry.entries[0]).not.toHaveProperty('split');
  const [first, second] = dry.entries[0].candidates.map(({ invoiceId }: { invoiceId: string }) => invoiceId);
  const decided = (amounts: readonly [string, number][]) => [
    { entryId: '1', invoices: amounts.map(([invoiceId, amount]) => ({ invoiceId, amount })) },
  ];
  const { _id } = dry.statement;
  const problem = async (amounts: readonly [string, number][]) =>
    (await statements.confirm(seller, _id, decided(amounts))).body.details;
  expect(
    await problem([
      [first, 9.99],
      [second, 5],
    ]),
  ).toEqual({
    'entry 1': 'is divided into amounts that do not add up to it',
  });
  expect(
    await problem([
      [first, 9.99],
      ['inv_none', 5.01],
    ]),
  ).toEqual({
    'entry 1': 'is for a record that does not exist',
  });
  expect(
    await problem([
      [first, 9.99],
      [first, 5.01],
    ]),
  ).toEqual({ 'entry 1': 'names an invoice twice' });
  const read = await imported(
    seller,
    _id,
    decided([
      [first, 9.99],
      [second, 5.01],
    ]),
  );
  expect(read).toMatchObject([{ result: 'applied' }]);
  expect(await invoicesOf(seller, one.id)).toMatchObject([{ status: 'paid' }]);
  expect(await invoicesOf(seller, two.id)).toMatchObject([{ status: 'open' }]);
  expect(await payments(seller)).toMatchObject([
    { applied: [{ amount: 9.99 }, { amount: 5.01 }], waiting: 0 },
  ]);
});

test('a transfer whose text is the reference of one client is divided as the seller decides', async () => {
  const { seller, one, two } = await stageOfTwo();
  const { referenceNumber } = (await seller.details(one.id)).body.subscription;
  const dry = await send(seller, '19.98', referenceNumber);
  expect(dry.entries).toMatchObject([{ match: 'matched', candidates: [{ subscriptionId: one.id }] }]);
  const invoices = [...(await invoicesOf(seller, one.id)), ...(await invoicesOf(seller, two.id))];
  const parts = invoices.map(({ _id }) => ({ invoiceId: _id, amount: 9.99 }));
  const read = await imported(seller, dry.statement._id, [{ entryId: '1', invoices: parts }]);
  expect(read).toMatchObject([{ result: 'applied' }]);
  expect(await payments(seller)).toMatchObject([
    { credited: 0, waiting: 0, reference: referenceNumber, applied: [{ amount: 9.99 }, { amount: 9.99 }] },
  ]);
  for (const { id } of [one, two]) expect(await invoicesOf(seller, id)).toMatchObject([{ status: 'paid' }]);
});

test('a batch that does not add up pays nobody until a person decides', async () => {
  const { seller, one } = await stageOfTwo();
  const part = (amount: string, name: string, text: string) =>
    `<TxDtls><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><RltdPties><Dbtr><Nm>${name}</Nm></Dbtr></RltdPties><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`;
  const file = camt([
    '<Ntry><Amt Ccy="EUR">58.99</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><ValDt><Dt>2026-11-02</Dt></ValDt><NtryDtls>',
    `${part('9.99', 'Ann Smith', 'RE-000001')}${part('50.00', 'Someone Else', 'rent')}</NtryDtls></Ntry>`,
  ]);
  const { body } = await statements.sendFile(seller, file);
  expect(body.entries).toMatchObject([
    { amount: 58.99, match: 'suggested', candidates: [{ subscriptionId: one.id }] },
  ]);
  expect(await imported(seller, body.statement._id)).toMatchObject([{ result: 'unapplied' }]);
  expect(await invoicesOf(seller, one.id)).toMatchObject([{ status: 'open' }]);
  expect(await payments(seller)).toMatchObject([{ status: 'unapplied', waiting: 58.99 }]);
});

test('a transfer whose division is refused is recorded, and waits', async () => {
  const { seller, two } = await stageOfTwo();
  const dry = await send(seller, '19.98', 'RE-000001 und RE-000002');
  await deleteItem(keys.subscription(seller.applicationId, two.externalId, two.id));
  expect(await imported(seller, dry.statement._id)).toMatchObject([{ result: 'unapplied' }]);
  expect(await payments(seller)).toMatchObject([{ status: 'unapplied', waiting: 19.98 }]);
});

test('a transfer is not divided when an invoice was paid meanwhile: all of it waits', async () => {
  const { seller } = await stageOfTwo();
  const dry = await send(seller, '19.98', 'RE-000001 und RE-000002');
  const other = await send(seller, '9.99', 'RE-000002');
  await imported(seller, other.statement._id);
  expect(await imported(seller, dry.statement._id)).toMatchObject([{ result: 'unapplied' }]);
  expect((await payments(seller)).find(({ amount }: { amount: number }) => amount === 19.98)).toMatchObject({
    status: 'unapplied',
    waiting: 19.98,
  });
});
