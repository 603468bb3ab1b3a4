import { call, newSeller, type Tenant } from '../../../../support/call.ts';
import { camt, entryXml, type XmlEntry } from '../../../../support/statements/bank-files.ts';
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

const ada = 'DE89370400440532013000';
const bob = 'DE75512108001245126199';
const own = 'DE02120300000000202051';
const taken: XmlEntry = { amount: '9.99', indicator: 'DBIT', reversal: true, date: '2026-11-22' };

async function opened(seller: Tenant) {
  const { id } = await seller.subscribed();
  return { id, reference: String((await seller.details(id)).body.subscription.referenceNumber) };
}

async function dryRun(seller: Tenant, entries: readonly XmlEntry[]) {
  const { status, body, text } = await sendFile(seller, camt(entries.map((entry) => entryXml(entry))));
  expect(status, text).toBe(201);
  return body;
}

/** Confirms, imports, and reads what came of the entries. */
async function imported(seller: Tenant, id: string, decisions?: readonly object[]) {
  const { status, text } = await confirm(seller, id, decisions);
  expect(status, text).toBe(202);
  await stage.settle();
  return (await readStatement(seller, id)).body;
}

async function importedFile(seller: Tenant, entries: readonly XmlEntry[], decisions?: readonly object[]) {
  return imported(seller, (await dryRun(seller, entries)).statement._id, decisions);
}

const results = (body: { entries: { match: string; result: string }[] }) =>
  body.entries.map(({ match, result }) => `${match} ${result}`);

async function payments(seller: Tenant) {
  return (await call('payments.list', { headers: seller.headers })).body.payments;
}

const stateOf = async (seller: Tenant, id: string) => (await seller.details(id)).body.subscription;

describe('a transfer that the bank takes back', () => {
  test.each([
    ['RvslInd and EndToEndId', { endToEndId: 'E2E-1', text: 'Rueckruf' }],
    ['RvslInd and the reference number', {}],
    ['a code of the bank for a returned transfer', { reversal: false, subFamily: 'RRTN' }],
    ['a reason for which it is returned', { reversal: false, returnReason: 'AC04' }],
    ['the account of the payer, as debtor', { text: 'Rueckruf', iban: ada }],
    [
      'the account of the payer, as creditor',
      { text: 'Rueckruf', name: 'Seller', iban: own, creditor: { name: 'Ada Lovelace', iban: ada } },
    ],
  ] as const)('is found by %s', async (_, how: XmlEntry) => {
    const seller = await newSeller();
    const { reference } = await opened(seller);
    await importedFile(seller, [{ amount: '9.99', text: reference, iban: ada, endToEndId: 'E2E-1' }]);
    const [payment] = await payments(seller);
    const dry = await dryRun(seller, [{ ...taken, text: reference, ...how }]);
    expect(dry.statement).toMatchObject({ totals: [], matches: { reversal: 1 }, withdrawals: 0 });
    expect(dry.entries).toEqual([
      expect.objectContaining({
        match: 'reversal',
        paymentId: payment._id,
        reversedPayments: [
          expect.objectContaining({ paymentId: payment._id, amount: 9.99, valueDate: '2026-11-20' }),
        ],
      }),
    ]);
    expect(dry.entries[0]).not.toHaveProperty('message');
  });

  test('is taken back once: the invoice is open again', async () => {
    const seller = await newSeller();
    const { id, reference } = await opened(seller);
    expect(results(await importedFile(seller, [{ amount: '9.99', text: reference }]))).toEqual([
      'matched applied',
    ]);
    expect(await stateOf(seller, id)).toMatchObject({ status: 'active' });
    const [payment] = await payments(seller);
    const reversal = { ...taken, text: reference };
    const read = await importedFile(seller, [reversal]);
    expect(results(read)).toEqual(['reversal reversed']);
    expect(read.statement.progress.results).toMatchObject({ reversed: 1, reversal: 0 });
    expect(await payments(seller)).toMatchObject([{ status: 'disputed', returned: 9.99, applied: [] }]);
    expect((await stateOf(seller, id)).invoices).toMatchObject([{ status: 'open' }]);

    // The same file again, and by hand.
    const again = await dryRun(seller, [reversal]);
    expect(again.entries).toMatchObject([{ match: 'duplicate', paymentId: payment._id }]);
    expect(again.statement.totals).toEqual([]);
    expect(results(await imported(seller, again.statement._id))).toEqual(['duplicate duplicate']);
    const byHand = await call('payments.reverse', seller.callFor(payment._id, { reason: 'Recalled' }));
    expect(byHand.body.payment).toMatchObject({
      returned: 9.99,
      updatedAt: (await payments(seller))[0].updatedAt,
    });
  });

  test('is taken back after its own credit, which the same file has, in any order', async () => {
    const seller = await newSeller();
    const { id, reference } = await opened(seller);
    const paid = { amount: '9.99', text: reference, endToEndId: 'E2E-2', date: '2026-11-22' };
    const dry = await dryRun(seller, [{ ...taken, endToEndId: 'E2E-2' }, paid]);
    expect(dry.entries.map(({ match }: { match: string }) => match)).toEqual(['matched', 'reversal']);
    expect(dry.entries[1].paymentId).toBe(dry.entries[0].paymentId);
    expect(results(await imported(seller, dry.statement._id))).toEqual([
      'matched applied',
      'reversal reversed',
    ]);
    expect((await stateOf(seller, id)).invoices).toMatchObject([{ status: 'open' }]);
  });

  test('takes nothing back when the seller skips its own credit, which the same file has', async () => {
    const seller = await newSeller();
    const { reference } = await opened(seller);
    const credit: XmlEntry = { amount: '9.99', text: reference, date: '2026-11-20', endToEndId: 'E2E-1' };
    const { statement, entries } = await dryRun(seller, [credit, { ...taken, endToEndId: 'E2E-1' }]);
    const body = await imported(seller, statement._id, [{ entryId: entries[0].entryId, skip: true }]);
    expect(results(body)).toEqual(['matched skipped', 'reversal reversal']);
    expect(await payments(seller)).toEqual([]);
  });

  test('is taken back by one of two reversals of the same file: the other one is for the seller to decide', async () => {
    const seller = await newSeller();
    const { reference } = await opened(seller);
    await importedFile(seller, [{ amount: '9.99', text: reference }]);
    const reversal = { ...taken, text: reference };
    const dry = await dryRun(seller, [reversal, reversal]);
    expect(dry.entries.map((entry: { paymentId?: string }) => entry.paymentId !== undefined)).toEqual([
      true,
      false,
    ]);
    expect(results(await imported(seller, dry.statement._id))).toEqual([
      'reversal reversed',
      'reversal reversal',
    ]);
  });

  test('in two parts adds up, and a part that was recorded by hand counts once', async () => {
    const seller = await newSeller();
    const { reference } = await opened(seller);
    await importedFile(seller, [{ amount: '9.99', text: reference, endToEndId: 'E2E-3' }]);
    const [{ _id }] = await payments(seller);
    await call('payments.reverse', seller.callFor(_id, { amount: 3, reason: 'Recalled in part' }));
    const part = (amount: string, bankId: string) => ({ ...taken, amount, bankId, endToEndId: 'E2E-3' });
    const returned = async () => (await payments(seller))[0].returned;
    // The bank states the same part.
    expect(results(await importedFile(seller, [part('3.00', 'R-1')]))).toEqual(['reversal reversed']);
    expect(await returned()).toBe(3);
    expect(results(await importedFile(seller, [part('3.00', 'R-1'), part('4.00', 'R-2')]))).toEqual([
      'duplicate duplicate',
      'reversal reversed',
    ]);
    expect(await returned()).toBe(7);
    // More than is left of the payment is of no payment that is known.
    const beyond = await dryRun(seller, [part('3.00', 'R-3')]);
    expect(beyond.entries).toMatchObject([{ match: 'reversal', reversedPayments: [] }]);
    // The seller states the total.
    await call('payments.reverse', seller.callFor(_id, { amount: 0, reason: 'By mistake' }));
    expect(await returned()).toBe(0);
    const repeated = await importedFile(seller, [part('3.00', 'R-1'), part('4.00', 'R-2')]);
    expect(results(repeated)).toEqual(['duplicate duplicate', 'duplicate duplicate']);
    expect(await returned()).toBe(0);
  });

  test('of two payments is for the seller to choose, and counts once when two imports race', async () => {
    const seller = await newSeller();
    const { reference } = await opened(seller);
    const paid = (bankId: string) => ({ amount: '9.99', text: reference, iban: ada, bankId });
    await importedFile(seller, [paid('P-1'), paid('P-2')]);
    const file = [{ ...taken, text: 'Rueckruf', iban: ada }];
    const one = await dryRun(seller, file);
    expect(one.entries[0]).toMatchObject({
      match: 'reversal',
      reversedPayments: [{ amount: 9.99 }, { amount: 9.99 }],
      message: expect.stringContaining('Decide with `paymentId`'),
    });
    expect(one.entries[0]).not.toHaveProperty('paymentId');
    expect(results(await imported(seller, one.statement._id))).toEqual(['reversal reversal']);
    const [{ paymentId }] = one.entries[0].reversedPayments;
    const racing = [await dryRun(seller, file), await dryRun(seller, file)];
    const decision = [{ entryId: '1', paymentId }];
    await Promise.all(racing.map(({ statement }) => confirm(seller, statement._id, decision)));
    await stage.settle();
    const states = await payments(seller);
    expect(states.map(({ returned }: { returned: number }) => returned).toSorted()).toEqual([0, 9.99]);
    expect(states.find(({ _id }: { _id: string }) => _id === paymentId)).toMatchObject({ returned: 9.99 });
  });

  test('of two payments counts once when racing imports, and a later one, decide different payments', async () => {
    const seller = await newSeller();
    // Of two clients: the writes of one subscription exclude each other anyway.
    const opens = [await opened(seller), await opened(seller)];
    await importedFile(
      seller,
      opens.map(({ reference }) => ({ amount: '9.99', text: reference, iban: ada })),
    );
    const file = [{ ...taken, text: 'Rueckruf', iban: ada }];
    const runs = [await dryRun(seller, file), await dryRun(seller, file), await dryRun(seller, file)];
    const ids = runs.map(({ statement }) => String(statement._id));
    const decided = (await payments(seller)).map(({ _id }: { _id: string }) => [
      { entryId: '1', paymentId: _id },
    ]);
    await Promise.all(ids.slice(0, 2).map((id, i) => confirm(seller, id, decided[i])));
    await stage.settle();
    const read = await Promise.all(ids.slice(0, 2).map((id) => readStatement(seller, id)));
    const found = read.map(({ body }) => body.entries[0].result);
    expect(found.toSorted()).toEqual(['duplicate', 'reversed']);
    const later = await imported(seller, ids[2] ?? '', decided[found.indexOf('duplicate')]);
    expect(results(later)).toEqual(['reversal duplicate']);
    const returned = (await payments(seller)).map(({ returned }: { returned: number }) => returned);
    expect(returned.toSorted()).toEqual([0, 9.99]);
  });
});

describe('a reversal is no income', () => {
  test('when no payment is known: the seller is told how to go on, and decides a payment', async () => {
    const seller = await newSeller();
    const { reference } = await opened(seller);
    await importedFile(seller, [{ amount: '9.99', text: reference, iban: bob, name: 'Bob' }]);
    const [{ _id }] = await payments(seller);
    const file = [{ ...taken, text: 'Rueckruf', iban: ada }];
    const dry = await dryRun(seller, file);
    expect(dry.entries).toMatchObject([
      { match: 'reversal', reversedPayments: [], message: expect.stringContaining('GET /api/v1/payments') },
    ]);
    expect(results(await imported(seller, dry.statement._id))).toEqual(['reversal reversal']);
    expect(await payments(seller)).toMatchObject([{ status: 'applied', returned: 0 }]);
    const decided = await importedFile(seller, file, [{ entryId: '1', paymentId: _id }]);
    expect(results(decided)).toEqual(['reversal reversed']);
    expect(await payments(seller)).toMatchObject([{ returned: 9.99 }]);
  });

  test('when an id of the payer is that of another payer', async () => {
    const seller = await newSeller();
    const { reference } = await opened(seller);
    await importedFile(seller, [{ amount: '9.99', text: reference, name: 'Bob Baker', endToEndId: '1' }]);
    const dry = await dryRun(seller, [{ ...taken, text: 'Rueckruf', name: 'Ada Lovelace', endToEndId: '1' }]);
    expect(dry.entries).toMatchObject([
      { reversedPayments: [{ payerName: 'Bob Baker' }], message: expect.any(String) },
    ]);
    expect(results(await imported(seller, dry.statement._id))).toEqual(['reversal reversal']);
  });

  test('when it gives a withdrawal back', async () => {
    const seller = await newSeller();
    const { reference } = await opened(seller);
    const back = { amount: '9.99', text: reference };
    const dry = await dryRun(seller, [
      { ...back, reversal: true },
      { ...back, returnReason: 'AC04' },
    ]);
    const row = { match: 'reversal', message: expect.stringContaining('no income') };
    expect(dry.entries).toMatchObject([row, row]);
    expect(dry.entries[0]).not.toHaveProperty('reversedPayments');
    expect(dry.statement.totals).toEqual([]);
    expect(
      (await confirm(seller, dry.statement._id, [{ entryId: '1', paymentId: 'pay_x' }])).body.details,
    ).toEqual({
      'entry 1': 'takes no payment back',
    });
    const read = await imported(seller, dry.statement._id);
    expect(results(read)).toEqual(['reversal reversal', 'reversal reversal']);
    expect(await payments(seller)).toEqual([]);
  });

  test('and takes back no payment of another application', async () => {
    const foreign = await newSeller();
    const { reference } = await opened(foreign);
    await importedFile(foreign, [{ amount: '9.99', text: reference, endToEndId: 'E2E-4' }]);
    const [{ _id }] = await payments(foreign);
    const seller = await newSeller();
    const dry = await dryRun(seller, [{ ...taken, text: reference, endToEndId: 'E2E-4' }]);
    expect(dry.entries).toMatchObject([{ match: 'reversal', reversedPayments: [] }]);
    const { status, body } = await confirm(seller, dry.statement._id, [{ entryId: '1', paymentId: _id }]);
    expect([status, body.details]).toEqual([400, { 'entry 1': 'is for a record that does not exist' }]);
  });
});
