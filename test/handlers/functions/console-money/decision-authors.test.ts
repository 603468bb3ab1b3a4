import { newId } from '../../../../functions/shared/runtime/ids.ts';
import { maxDecisions } from '../../../../functions/statements/import/statement.ts';
import { statementStore } from '../../../../functions/statements/import/store.ts';
import { call, good, newSeller } from '../../../support/call.ts';
import { multipartRequest } from '../../../support/samples/console.ts';
import { openInvoice } from '../../../support/samples/finance.ts';
import { browse } from '../../../support/samples/forms.ts';
import { asOperator } from '../../../support/samples/operator.ts';
import { camt, entryXml } from '../../../support/statements/bank-files.ts';
import { accept, decided, notableIn, type Person, person } from '../../../support/statements/deciding.ts';
import * as statements from '../../../support/statements/statement-stage.ts';

let stage: statements.StatementStage;
beforeAll(async () => {
  stage = await statements.statementStage();
});
afterAll(() => stage?.stop());

describe('a kept decision', () => {
  test('has its author on the page, in the question before a confirmation, in its record and in the API', async () => {
    const { seller, statementId, due, other, olga, max, show, act, entriesFor, confirmations } =
      await decided();
    await act(olga, {
      action: 'keep',
      version: '0',
      'choice-1': '',
      'other-1': other.invoiceId,
      'choice-2': 'skip',
    });
    await act(max, {
      action: 'keep',
      version: '1',
      'choice-1': '',
      'other-1': other.invoiceId,
      'choice-3': 'skip',
    });

    expect(await show(max)).toContain(`Decided: ${other.invoiceId}, by Olga Operator`);
    const question = notableIn(await show(max, { view: 'confirm' }));
    expect(question.match(/<th scope="row"[^>]*>\d/g)).toHaveLength(2);
    expect(question).toMatch(
      new RegExp(`Apply the match: .*${other.invoiceId}.*by Olga Operator.*Leave out`, 's'),
    );
    // Their own decision against a match is in the question, and the others are not.
    expect(notableIn(await show(olga, { view: 'confirm' })).match(/<th scope="row"[^>]*>\d/g)).toHaveLength(
      2,
    );

    const by = { kind: 'operator', id: olga.keyId, name: 'Olga Operator' };
    expect(await entriesFor(max)).toMatchObject([
      { match: 'matched', decision: { invoiceId: other.invoiceId, by } },
      { decision: { skip: true, by } },
      { decision: { skip: true, by: { name: 'Max Money' } } },
    ]);
    const { entries } = good(await statements.readStatement(seller, statementId));
    expect(entries[0].decision).toEqual({ invoiceId: other.invoiceId, by: { kind: 'operator' } });

    expect((await act(max, { action: 'confirm', version: '2', reason: 'November.' })).status).toBe(303);
    const [record] = await confirmations();
    const author = { id: olga.keyId, name: 'Olga Operator' };
    expect(record.by.name).toBe('Max Money');
    expect(record.before).toEqual({
      'entry 1': { match: due.invoiceId, decision: { invoiceId: other.invoiceId }, by: author },
      'entry 2': { decision: { skip: true }, by: author },
    });
    await stage.settle();
    expect(await show(max)).toMatch(/skipped<\/span><p>Decided: Leave out, by Olga Operator/);
    expect((await entriesFor(max))[1]).toMatchObject({ result: 'skipped', decision: { by } });
  });

  test('that another person clears is theirs on the page, in the question, in the API and in the record', async () => {
    const { seller, statementId, due, olga, max, show, act, entriesFor, confirmations } = await decided();
    await act(olga, { action: 'keep', version: '0', 'choice-1': 'skip' });
    // A form that is sent again changes nothing, and clears what was never decided as little.
    for (const _ of [1, 2]) {
      const { status } = await act(max, { action: 'keep', version: '1', 'choice-1': '', 'choice-2': '' });
      expect(status).toBe(303);
    }

    expect(await show(olga)).toMatch(/<p>Decided: Apply the match: [^<]*, by Max Money<\/p>/);
    const question = notableIn(await show(olga, { view: 'confirm' }));
    expect(question.match(/<th scope="row"[^>]*>\d/g)).toHaveLength(1);
    expect(question).toContain('by Max Money');
    expect(notableIn(await show(max, { view: 'confirm' }))).toBe('');
    const by = { kind: 'operator', id: max.keyId, name: 'Max Money' };
    const [first, second] = await entriesFor(olga);
    expect([first.decision, second.decision]).toEqual([{ asMatched: true, by }, undefined]);

    await act(olga, { action: 'confirm', version: '2', reason: 'November.' });
    await stage.settle();
    const [record] = await confirmations();
    expect(record.before).toEqual({
      'entry 1': {
        match: due.invoiceId,
        decision: { asMatched: true },
        by: { id: max.keyId, name: 'Max Money' },
      },
    });
    expect(await show(olga)).toMatch(/applied<\/span><p>Decided: Apply the match: [^<]*, by Max Money/);
    const { entries } = good(await statements.readStatement(seller, statementId));
    expect(entries[0]).toMatchObject({ result: 'applied', decision: { asMatched: true } });
  });

  test('counts in a confirmation by API that names what was kept, with the record of the form', async () => {
    const { seller, params, olga, max, act, confirmations } = await decided();
    await act(olga, { action: 'keep', version: '0', 'choice-2': 'skip' });
    const request = {
      headers: { 'x-application-id': params.applicationId },
      params: { id: params.statementId },
    };
    const confirming = async (body: object) =>
      call('statements.confirm', await asOperator({ ...request, body }, max.secret));
    const entries = [{ entryId: '2', skip: true }];
    for (const body of [{ decisionsVersion: 1, entries }, { decisionsVersion: -1 }])
      expect((await confirming(body)).status).toBe(400);
    const stale = await confirming({ decisionsVersion: 0 });
    expect([stale.status, stale.body.details]).toEqual([409, { decisionsVersion: 'is another one now' }]);
    for (const _ of [1, 2])
      expect((await confirming({ decisionsVersion: 1 })).body.statement).toMatchObject({
        decisionsVersion: 1,
      });
    const [record, ...others] = await confirmations();
    expect([record.by.name, others]).toEqual(['Max Money', []]);
    expect(record.before).toEqual({
      'entry 2': { decision: { skip: true }, by: { id: olga.keyId, name: 'Olga Operator' } },
    });
    await stage.settle();
    expect(good(await statements.readStatement(seller, params.statementId)).entries[1].result).toBe(
      'skipped',
    );
  });

  test('is not the author of an equal one that is sent with the API, whose import the console continues', async () => {
    const { seller, statementId, olga, show, act } = await decided();
    await act(olga, { action: 'keep', version: '0', 'choice-2': 'skip', 'choice-3': 'skip' });
    const entries = [
      { entryId: '1', asMatched: true },
      { entryId: '2', skip: true },
    ];
    expect((await statements.confirm(seller, statementId, entries)).status).toBe(202);
    const again = { action: 'confirm', version: '2', reason: 'It stands still.' };
    expect((await act(olga, again)).status).toBe(303);
    await stage.settle();
    const read = good(await statements.readStatement(seller, statementId)).entries;
    expect(read.map(({ decision }: { decision: unknown }) => decision)).toEqual([
      { asMatched: true },
      { skip: true },
      undefined,
    ]);
    expect(read.map(({ result }: { result: string }) => result)).toEqual(['applied', 'skipped', 'unapplied']);
    expect(await show(olga)).not.toContain('by Olga Operator');
  });

  test('of each of 1,000 entries fits the statement, also when the name of its author is long', async () => {
    const { params, statementId } = await decided();
    const statement = await statementStore.get(params.applicationId, statementId, Date.now());
    const author = { keyId: newId('key', Date.now()), name: '年'.repeat(200) };
    const kept = { decision: { invoiceId: newId('inv', Date.now()) }, by: author.keyId };
    const decisions = Object.fromEntries(Array.from({ length: maxDecisions }, (_, i) => [9_001 + i, kept]));
    expect(statement && (await statementStore.keep(statement, decisions, author))).toBe(true);
  });
});

test('a confirmation of an operator with the API records the matches that it overrides', async () => {
  const { seller, statementId, due, other, olga, max, act, confirmations, entriesFor, params } =
    await decided();
  await act(olga, { action: 'keep', version: '0', 'choice-2': 'skip' });
  const entries = [
    { entryId: '1', invoiceId: other.invoiceId },
    { entryId: '3', skip: true },
  ];
  const headers = { 'x-application-id': params.applicationId };
  const request = { headers, params: { id: statementId }, body: { entries } };
  expect((await call('statements.confirm', await asOperator(request, max.secret))).status).toBe(202);
  const [record] = await confirmations();
  expect(record.before).toEqual({
    'entry 1': { match: due.invoiceId, decision: { invoiceId: other.invoiceId } },
  });
  const [first, second] = await entriesFor(max);
  expect([first.decision, second.decision]).toEqual([{ invoiceId: other.invoiceId }, undefined]);
  expect((await statements.confirm(seller, statementId, entries)).status).toBe(202);
  await stage.settle();
});

test('a page reads the number, the amount due, the client and the difference of each candidate in full', async () => {
  const seller = await newSeller();
  const due = await openInvoice(seller, { name: 'Ann Smith' });
  const file = camt([
    entryXml({ amount: '4.00', name: 'Ann Smith', text: due.number, date: '2026-11-01' }),
    entryXml({ amount: '12.00', name: 'Ann Smith', text: due.number, date: '2026-11-02' }),
    entryXml({ amount: '9.99', name: 'Ann Smith', text: 'rent', date: '2026-11-03' }),
  ]);
  const statementId: string = (await statements.sendFile(seller, file)).body.statement._id;
  const params = { applicationId: seller.applicationId, statementId };
  const { headers } = await person('Olga Operator');
  const { text } = await browse('console-money.statement-show', { headers: { ...headers, accept }, params });
  const known = `${due.number}, EUR 9.99 due, ${due.externalId}`;
  expect(text).toContain(`Apply the match: ${known}, partial: EUR 5.99 stays due</span>`);
  expect(text).toContain(`Apply the match: ${known}, EUR 2.01 more than due</span>`);
  expect(text).toContain(`>${due.number}, EUR 9.99 due, Ann Smith, ${due.externalId}</span>`);
  expect(text).not.toMatch(/>[^<]*inv_/);
  // No select cuts them.
  expect(text).not.toContain('<select');
});

/** The values of the choice about an entry, with the preset one. */
function choicesIn(text: string, n: number) {
  const inputs = [...text.matchAll(new RegExp(`name="choice-${n}" value="([^"]*)"( checked)?`, 'g'))];
  return { values: inputs.map(([, value]) => value), preset: inputs.find(([, , checked]) => checked)?.[1] };
}

describe('the one suggestion that has exactly the amount', () => {
  /** Ann owes 9.99 by one invoice, and Bert by two. */
  async function suggestions() {
    const seller = await newSeller();
    const ann = await openInvoice(seller, { name: 'Ann Smith' });
    const bert = [
      await openInvoice(seller, { name: 'Bert Jones' }),
      await openInvoice(seller, { name: 'Bert Jones' }),
    ];
    const of = (name: string, text: string, day: number) =>
      entryXml({ amount: '9.99', name, text, date: `2026-11-0${day}` });
    const file = camt([
      of('Ann Smith', 'rent', 1),
      of('Bert Jones', 'rent', 2),
      of('Nobody', ann.number, 3),
      of('Nobody', 'b', 4),
    ]);
    const statementId: string = (await statements.sendFile(seller, file)).body.statement._id;
    const params = { applicationId: seller.applicationId, statementId };
    return { seller, params, ann, bert, olga: await person('Olga Operator'), max: await person('Max Money') };
  }

  const shown = async ({
    params,
    by: { headers },
    query = {},
  }: {
    params: Record<string, string>;
    by: Person;
    query?: Record<string, string>;
  }) =>
    (await browse('console-money.statement-show', { headers: { ...headers, accept }, params, query })).text;

  async function keep(params: Record<string, string>, by: Person, fields: Record<string, string>) {
    const request = await multipartRequest(by.headers, { action: 'keep', ...fields });
    const answer = await browse('console-money.statement-action', { ...request, params });
    expect(answer.status).toBe(303);
  }

  test('is preset, and of several nothing is', async () => {
    const { params, ann, bert, olga } = await suggestions();
    const text = await shown({ params, by: olga });
    const invoice = `invoiceId:${ann.invoiceId}`;
    expect(choicesIn(text, 1)).toEqual({ values: [invoice, 'unapplied', 'skip'], preset: invoice });
    const ofBert = choicesIn(text, 2);
    expect(ofBert.preset).toBe('');
    expect(ofBert.values.toSorted()).toEqual(
      ['', ...bert.map(({ invoiceId }) => `invoiceId:${invoiceId}`), 'skip'].toSorted(),
    );
    expect(choicesIn(text, 3)).toEqual({ values: ['', 'unapplied', 'skip'], preset: '' });
    expect(choicesIn(text, 4)).toEqual({ values: ['', 'skip'], preset: '' });
  });

  test('stays unapplied when a person says so, who is its author on the page, in the record and in the API', async () => {
    const { seller, params, ann, olga, max } = await suggestions();
    await keep(params, olga, { version: '0', 'choice-1': 'unapplied', 'choice-3': 'unapplied' });
    const text = await shown({ params, by: max });
    expect([choicesIn(text, 1).preset, choicesIn(text, 3).preset]).toEqual(['unapplied', 'unapplied']);
    expect(text).toContain('Decided: Record as an unapplied payment, by Olga Operator');
    const question = await shown({ params, by: max, query: { view: 'confirm' } });
    expect(notableIn(question).match(/<th scope="row"[^>]*>\d/g)).toHaveLength(2);
    expect(question).toMatch(/Recorded as unapplied payments<\/th><td[^>]*>4</);
    await keep(params, max, { action: 'confirm', version: '1', reason: 'November.' });
    await stage.settle();
    const { entries } = good(await statements.readStatement(seller, params.statementId));
    const decision = { unapplied: true, by: { kind: 'operator' } };
    expect(entries.map(({ result }: { result: string }) => result)).toEqual(Array(4).fill('unapplied'));
    expect([entries[0].decision, entries[2].decision]).toEqual([decision, decision]);
    const headers = { 'x-application-id': params.applicationId };
    const { actions } = good(
      await call(
        'operator.action-list',
        await asOperator({ headers, query: { applicationId: params.applicationId } }),
      ),
    );
    const { before } = actions.find(
      ({ action }: { action: string }) => action === 'bank_statement.confirmed',
    );
    expect(before['entry 3']).toMatchObject({
      match: ann.invoiceId,
      decision: { unapplied: true },
      by: { name: 'Olga Operator' },
    });
  });
});
