import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { getItem, type Item } from '../../../../functions/shared/table/table.ts';
import { call } from '../../../support/call.ts';
import { cookieOf, multipartRequest, newConsoleKey, signIn } from '../../../support/samples/console.ts';
import { openInvoice } from '../../../support/samples/finance.ts';
import { asOperator } from '../../../support/samples/operator.ts';
import { browse } from '../../../support/samples/page-browser.ts';
import { camt, entryXml } from '../../../support/statements/bank-files.ts';
import {
  confirm,
  readStatement,
  type StatementStage,
  sendFile,
  statementStage,
} from '../../../support/statements/statement-stage.ts';
import { putItem } from '../../../support/stored-items.ts';
import { good, newSeller } from '../../../support/subscriptions/requests.ts';

let stage: StatementStage;
beforeAll(async () => {
  stage = await statementStage();
});
afterAll(() => stage?.stop());

/** An operator of the console, with a key of their own. */
async function person(name: string) {
  const { keyId, secret } = await newConsoleKey(['finance'], { name });
  return { keyId, secret, headers: { cookie: cookieOf(await signIn({ key: secret })) } };
}

type Person = Awaited<ReturnType<typeof person>>;

/** A statement whose first entry names an invoice, and whose second one names nothing; and two people. */
async function decided() {
  const seller = await newSeller();
  const { applicationId } = seller;
  const due = await openInvoice(seller, { name: 'Ann Smith' });
  const other = await openInvoice(seller, { name: 'Bert Jones' });
  const file = camt([
    entryXml({ amount: '9.99', name: 'Ann Smith', text: due.number, date: '2026-11-01' }),
    entryXml({ amount: '5.00', name: 'Nobody', text: 'b', date: '2026-11-02' }),
    entryXml({ amount: '6.00', name: 'Nobody', text: 'c', date: '2026-11-03' }),
  ]);
  const statementId: string = (await sendFile(seller, file)).body.statement._id;
  const params = { applicationId, statementId };
  const olga = await person('Olga Operator');
  const max = await person('Max Money');
  return {
    seller,
    statementId,
    params,
    due,
    other,
    olga,
    max,
    show: async ({ headers }: Person, query = {}) =>
      (await browse('console-money.statement-show', { headers: { ...headers, accept }, params, query })).text,
    act: async ({ headers }: Person, fields: Record<string, string>) => {
      const request = await multipartRequest(headers, fields);
      return browse('console-money.statement-action', {
        ...request,
        headers: { ...request.headers, accept },
        params,
      });
    },
    entriesFor: async ({ secret }: Person) => {
      const headers = { 'x-application-id': applicationId };
      const request = await asOperator({ headers, params: { id: statementId } }, secret);
      return good(await call('statements.read', request)).entries;
    },
    confirmations: async () =>
      good(await call('operator.action-list', await asOperator({ query: { applicationId } }))).actions.filter(
        ({ action }: { action: string }) => action === 'bank_statement.confirmed',
      ),
  };
}

const accept = 'text/html';

/** The rows of the table of notable decisions of the question. */
const notableIn = (text: string) =>
  /<caption>Overridden matches, and decisions of other people<\/caption>.*?<\/table>/s.exec(text)?.[0] ?? '';

describe('a kept decision', () => {
  test('has its author on the page, in the question before a confirmation, in its record and in the API', async () => {
    const { seller, statementId, due, other, olga, max, show, act, entriesFor, confirmations } =
      await decided();
    await act(olga, {
      action: 'keep',
      version: '',
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
    const { entries } = good(await readStatement(seller, statementId));
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
    expect(await show(max)).toMatch(/skipped<p>Decided: Leave out, by Olga Operator/);
    expect((await entriesFor(max))[1]).toMatchObject({ result: 'skipped', decision: { by } });
  });

  test('of an earlier release has an author who was not recorded', async () => {
    const { params, olga, show, act, entriesFor } = await decided();
    await act(olga, { action: 'keep', version: '', 'choice-2': 'skip' });
    const key = keys.bankStatement(params.applicationId, params.statementId);
    const stored: Item = (await getItem(key)) ?? { ...key };
    expect(stored).toHaveProperty('draftAuthors');
    delete stored.draftAuthors;
    await putItem(stored);
    expect(notableIn(await show(olga, { view: 'confirm' }))).toContain('by a person who was not recorded');
    expect((await entriesFor(olga))[1].decision).toEqual({ skip: true, by: { kind: 'operator' } });
    await act(olga, { action: 'keep', version: '1', 'choice-2': '', 'choice-3': 'skip' });
    expect(await show(olga)).toContain('Decided: Leave out, by Olga Operator');
  });
});

test('a confirmation of an operator with the API records the matches that it overrides', async () => {
  const { seller, statementId, due, other, olga, max, act, confirmations, entriesFor, params } =
    await decided();
  await act(olga, { action: 'keep', version: '', 'choice-2': 'skip' });
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
  expect((await confirm(seller, statementId, entries)).status).toBe(202);
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
  const statementId: string = (await sendFile(seller, file)).body.statement._id;
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
    const statementId: string = (await sendFile(seller, file)).body.statement._id;
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
    await keep(params, olga, { version: '', 'choice-1': 'unapplied', 'choice-3': 'unapplied' });
    const text = await shown({ params, by: max });
    expect([choicesIn(text, 1).preset, choicesIn(text, 3).preset]).toEqual(['unapplied', 'unapplied']);
    expect(text).toContain('Decided: Record as an unapplied payment, by Olga Operator');
    const question = await shown({ params, by: max, query: { view: 'confirm' } });
    expect(notableIn(question).match(/<th scope="row"[^>]*>\d/g)).toHaveLength(2);
    expect(question).toMatch(/Recorded as unapplied payments<\/th><td[^>]*>4</);
    await keep(params, max, { action: 'confirm', version: '1', reason: 'November.' });
    await stage.settle();
    const { entries } = good(await readStatement(seller, params.statementId));
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
