import type { Payment } from '../../../../../functions/ledger/payment.ts';
import { paymentIdOf } from '../../../../../functions/ledger/payment-id.ts';
import { ApiError } from '../../../../../functions/shared/contract/errors.ts';
import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { newId } from '../../../../../functions/shared/runtime/ids.ts';
import { getItem, notExists, putItem as put } from '../../../../../functions/shared/table/table.ts';
import type { BankStatement } from '../../../../../functions/statements/import/statement.ts';
import { statementStore } from '../../../../../functions/statements/import/store.ts';
import { newSeller, type Tenant } from '../../../../support/call.ts';
import { camt, entryXml } from '../../../../support/statements/bank-files.ts';
import * as statements from '../../../../support/statements/statement-stage.ts';

let stage: statements.StatementStage | undefined;
afterEach(() => stage?.stop());

type Incoming = Parameters<statements.Receive>[0];

/** Records payments once in the table, and what it was asked to record, as the engine does without subscriptions. */
function ledger(fails: (payment: Incoming, attempt: number) => Error | undefined = () => undefined) {
  const asked: Incoming[] = [];
  const receive: statements.Receive = async (incoming) => {
    asked.push(incoming);
    const error = fails(incoming, asked.length);
    if (error !== undefined) throw error;
    const { applicationId, source, sourceId, target, ...rest } = incoming;
    const paymentId = paymentIdOf(applicationId, source, sourceId);
    const key = keys.payment(applicationId, paymentId);
    const payment = {
      ...rest,
      paymentId,
      applicationId,
      source,
      sourceId,
      status: 'reference' in target || 'waitingText' in target ? 'unapplied' : 'applied',
      recordedAtMs: Date.now(),
    } as unknown as Payment;
    const isNew = await put(
      { ...key, ...payment },
      { ConditionExpression: notExists, guard: { once: 'pk' } },
    );
    return isNew
      ? { kind: 'changed', payment }
      : { kind: 'unchanged', payment: (await getItem(key)) as unknown as Payment };
  };
  const recorded = () => new Set(asked.map(({ sourceId }) => sourceId)).size;
  return { asked, receive, recorded };
}

const many = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) =>
    entryXml({ bankId: `B-${from + i}`, amount: `${from + i + 1}.00` }),
  );

async function sent(seller: Tenant, entries: readonly string[]): Promise<string> {
  return (await statements.sendFile(seller, camt(entries))).body.statement._id;
}

const stateOf = async (seller: Tenant, id: string) =>
  (await statements.readStatement(seller, id)).body.statement;

describe('a confirmation', () => {
  test('starts an import, which records each credit with its value date, and shows its progress', async () => {
    const seller = await newSeller();
    const { asked, receive } = ledger();
    stage = await statements.statementStage(statements.withReceive(receive));
    const credit = { amount: '5.00', date: '2026-11-18', bankId: '1', iban: 'DE89370400440532013000' };
    const id = await sent(seller, [entryXml(credit), entryXml({ amount: '7.00', reversal: true })]);
    const { status, body } = await statements.confirm(seller, id);
    expect([status, body.statement.status]).toEqual([202, 'importing']);
    expect((await statements.confirm(seller, id)).status).toBe(202);
    await stage.settle();
    expect(asked).toEqual([
      {
        applicationId: seller.applicationId,
        source: 'bank',
        sourceId: expect.stringMatching(/^[0-9a-f]{40}$/),
        method: 'bank_transfer',
        amountMinor: 500,
        currency: 'EUR',
        valueAtMs: Date.UTC(2026, 10, 18),
        target: { reference: 'Danke' },
        payer: { name: 'Ada Lovelace', iban: 'DE89370400440532013000' },
        transferIds: ['1'],
        by: 'application',
      },
    ]);
    const read = (await statements.readStatement(seller, id)).body;
    expect(read.statement).toMatchObject({
      status: 'imported',
      progress: { done: 2, results: { unapplied: 1, reversal: 1, failed: 0 } },
      confirmedAt: expect.any(String),
      importedAt: expect.any(String),
    });
    expect(read.entries).toMatchObject([{ result: 'unapplied' }, { result: 'reversal' }]);
    expect(stage.executions()[0]).toEqual({ name: id, status: 'SUCCEEDED' });
    // The same file again: nothing is recorded.
    const again = await sent(seller, [entryXml(credit)]);
    await statements.confirm(seller, again);
    await stage.settle();
    expect((await stateOf(seller, again)).progress.results).toMatchObject({ duplicate: 1 });
    expect(asked).toHaveLength(1);
  });

  test('applies matches, and what was decided', async () => {
    const seller = await newSeller();
    const one = await seller.subscribed();
    const two = await seller.subscribed();
    const { asked, receive } = ledger();
    stage = await statements.statementStage(statements.withReceive(receive));
    const reference = await referenceOf(seller, one.id);
    const id = await sent(seller, [
      entryXml({ amount: '1.00', text: reference }),
      entryXml({ amount: '2.00', text: reference }),
      entryXml({ amount: '3.00', text: 'unknown' }),
      entryXml({ amount: '4.00', text: 'not ours' }),
      entryXml({ amount: '5.00', text: reference }),
    ]);
    const decided = [
      { entryId: '2', subscriptionId: two.id },
      { entryId: '3', subscriptionId: two.id },
      { entryId: '4', skip: true },
      { entryId: '5', unapplied: true },
    ];
    expect((await statements.confirm(seller, id, decided)).status).toBe(202);
    await stage.settle();
    expect(
      asked
        .toSorted((a, b) => a.amountMinor - b.amountMinor)
        .map(({ amountMinor, target }) => [amountMinor, target]),
    ).toEqual([
      [100, { subscriptionId: one.id }],
      [200, { subscriptionId: two.id }],
      [300, { subscriptionId: two.id }],
      [500, { waitingText: reference }],
    ]);
    expect((await stateOf(seller, id)).progress.results).toMatchObject({
      applied: 3,
      unapplied: 1,
      skipped: 1,
    });
  });

  test('with other decisions is a conflict, and so is one of two at once', async () => {
    const seller = await newSeller();
    stage = await statements.statementStage(statements.withReceive(ledger().receive));
    const id = await sent(seller, many(2));
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => statements.confirm(seller, id)),
      ...Array.from({ length: 5 }, () => statements.confirm(seller, id, [{ entryId: '1', skip: true }])),
    ]);
    const statuses = answers.map(({ status }) => status);
    const [first, ...others] = statuses.slice(0, 5);
    expect([202, 409]).toContain(first);
    expect(others).toEqual(others.map(() => first));
    expect(statuses.slice(5)).toEqual(others.concat(0).map(() => (first === 202 ? 409 : 202)));
    await stage.settle();
    expect(await stateOf(seller, id)).toMatchObject({ status: 'imported', progress: { done: 2 } });
  });

  test.each([
    [{ entryId: '9', skip: true }, { 'entry 9': 'is no entry of the statement' }],
    [{ entryId: '1', subscriptionId: 'sub_none' }, { 'entry 1': 'is for a record that does not exist' }],
    [{ entryId: '1', invoiceId: 'inv_none' }, { 'entry 1': 'is for a record that does not exist' }],
    [
      { entryId: '2', subscriptionId: 'sub_none' },
      { 'entry 2': 'is a reversal, which pays nothing: name the payment that it takes back' },
    ],
    [
      { entryId: '2', unapplied: true },
      { 'entry 2': 'is a reversal, which pays nothing: name the payment that it takes back' },
    ],
  ])('that decides %j is refused, and confirms nothing', async (decision, problem) => {
    const seller = await newSeller();
    const id = await sent(seller, [entryXml(), entryXml({ reversal: true })]);
    const { status, body } = await statements.confirm(seller, id, [decision]);
    expect([status, body.details]).toEqual([400, problem]);
    expect((await stateOf(seller, id)).status).toBe('ready');
  });

  test('names no record of another application', async () => {
    const seller = await newSeller();
    const foreign = await (await newSeller()).subscribed();
    const id = await sent(seller, [entryXml()]);
    expect(
      (await statements.confirm(seller, id, [{ entryId: '1', subscriptionId: foreign.id }])).status,
    ).toBe(400);
  });
});

describe('an entry is recorded once', () => {
  test('when a run is killed at any entry, and the next goes on', async () => {
    const seller = await newSeller();
    let kills = 0;
    // Each run dies at another entry, in the first part, between parts and in the last.
    const { receive, recorded } = ledger((_, attempt) => {
      if (attempt % 47 !== 0 || kills === 5) return undefined;
      kills += 1;
      return new Error('killed');
    });
    stage = await statements.statementStage(statements.withReceive(receive));
    const id = await sent(seller, many(252));
    await statements.confirm(seller, id);
    await stage.settle();
    expect(kills).toBe(5);
    expect(recorded()).toBe(252);
    expect(await stateOf(seller, id)).toMatchObject({
      status: 'imported',
      progress: { done: 252, results: { unapplied: 252, duplicate: 0 } },
    });
  });

  test('when two runs of one import are at work', async () => {
    const seller = await newSeller();
    const { receive, recorded } = ledger();
    const task = statements.withReceive(receive);
    stage = await statements.statementStage(task);
    const id = await sent(seller, many(252));
    await statements.confirm(seller, id);
    const input = { applicationId: seller.applicationId, statementId: id };
    await Promise.all([task('', input), task('', input), stage.settle()]);
    expect(recorded()).toBe(252);
    expect((await stateOf(seller, id)).progress).toMatchObject({ done: 252, results: { unapplied: 252 } });
  });
});

test('an import that failed for good goes on after another confirmation', async () => {
  const seller = await newSeller();
  let isBroken = true;
  const { receive } = ledger(() => (isBroken ? new Error('no table') : undefined));
  stage = await statements.statementStage(statements.withReceive(receive));
  const id = await sent(seller, many(3));
  await statements.confirm(seller, id);
  await stage.settle();
  expect(stage.executions()).toEqual([{ name: id, status: 'FAILED' }]);
  expect(await stateOf(seller, id)).toMatchObject({ status: 'importing', progress: { done: 0 } });
  isBroken = false;
  await statements.confirm(seller, id);
  await stage.settle();
  expect(stage.executions().map(({ status }) => status)).toEqual(['FAILED', 'SUCCEEDED']);
  expect(await stateOf(seller, id)).toMatchObject({ status: 'imported', progress: { done: 3 } });
});

test('an entry that is refused for good keeps no other waiting', async () => {
  const seller = await newSeller();
  const { receive } = ledger(({ amountMinor }) =>
    amountMinor === 200 ? new ApiError('invalid_transition') : undefined,
  );
  stage = await statements.statementStage(statements.withReceive(receive));
  const id = await sent(seller, many(3));
  await statements.confirm(seller, id);
  await stage.settle();
  const { statement, entries } = (await statements.readStatement(seller, id)).body;
  expect(statement.progress.results).toMatchObject({ unapplied: 2, failed: 1 });
  expect(entries[1]).toMatchObject({ result: 'failed', error: 'invalid_transition' });
});

async function referenceOf(seller: Tenant, id: string): Promise<string> {
  return (await seller.details(id)).body.subscription.referenceNumber;
}

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
    decisions: {},
    decisionsVersion: 0,
    authors: {},
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
