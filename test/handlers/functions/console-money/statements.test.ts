import { gzipSync } from 'node:zlib';
import { isoDay } from '../../../../functions/shared/runtime/time-zone.ts';
import { call, good, newSeller, type Tenant } from '../../../support/call.ts';
import { multipartRequest, signedIn, uploadOf } from '../../../support/samples/console.ts';
import { openInvoice } from '../../../support/samples/finance.ts';
import { browse } from '../../../support/samples/forms.ts';
import { asOperator } from '../../../support/samples/operator.ts';
import { camt, entryXml } from '../../../support/statements/bank-files.ts';
import * as statements from '../../../support/statements/statement-stage.ts';

let stage: statements.StatementStage;

beforeAll(async () => {
  stage = await statements.statementStage();
});
afterAll(() => stage?.stop());

const accept = 'text/html';

async function upload(
  applicationId: string,
  fields: Record<string, string | File> = {},
  { headers, ...more }: { headers?: { cookie: string }; site?: string } = {},
) {
  const request = await uploadOf(headers ?? (await signedIn('finance')), applicationId, fields);
  const site = more.site === undefined ? {} : { 'sec-fetch-site': more.site };
  return browse('console-money.statement-upload', {
    ...request,
    headers: { ...request.headers, accept, ...site },
  });
}

/** The session of one person for all requests of a test, with a statement. */
async function withStatement(entries: readonly string[], seller?: Tenant) {
  const owner = seller ?? (await newSeller());
  const id: string = (await statements.sendFile(owner, camt(entries))).body.statement._id;
  const params = { applicationId: owner.applicationId, statementId: id };
  const headers = await signedIn('finance');
  return {
    seller: owner,
    id,
    params,
    headers,
    show: (query: Record<string, string> = {}, more: Partial<typeof params> = {}) =>
      browse('console-money.statement-show', {
        headers: { ...headers, accept },
        params: { ...params, ...more },
        query,
      }),
    act: async (fields: Record<string, string>, more: Partial<typeof params> = {}, by = headers) => {
      const request = await multipartRequest(by, fields);
      return browse('console-money.statement-action', {
        ...request,
        headers: { ...request.headers, accept },
        params: { ...params, ...more },
      });
    },
  };
}

const statementsOf = async (seller: Tenant): Promise<{ _id: string; format: string }[]> =>
  good(await call('statements.list', { headers: seller.headers, query: {} })).statements;

const actionsOn = async (applicationId: string) =>
  good(await call('operator.action-list', await asOperator({ query: { applicationId } }))).actions.filter(
    ({ action }: { action: string }) => action.startsWith('bank_statement.'),
  );

/** The body of a form whose file was not chosen, as browsers send it. */
const withoutFile = (body: unknown) =>
  body instanceof Uint8Array ? Buffer.from(body).toString().replace('filename="none"', 'filename=""') : '';

const xml = (...entries: string[]) => new File([camt(entries)], 'day.xml', { type: 'text/xml' });

test('a statement leads to the journal of the day of the seller', async () => {
  // One of the two is on another day than UTC at any time.
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const { show } = await withStatement([entryXml()], await newSeller('none', { timeZone }));
    const day = isoDay(Date.now(), timeZone);
    expect((await show()).text).toContain(`file=journal&amp;from=${day}&amp;to=${day}`);
  }
});

describe('a file', () => {
  test('becomes a statement of the application, with a record of the operator, and no payment', async () => {
    const seller = await newSeller();
    const { applicationId } = seller;
    const { status, headers } = await upload(applicationId, { file: xml(entryXml()) });
    const [statement] = await statementsOf(seller);
    expect([status, headers.location]).toEqual([
      303,
      expect.stringContaining(`console/money/${applicationId}/statements/${statement?._id}?notice=`),
    ]);
    expect(await actionsOn(applicationId)).toMatchObject([
      {
        action: 'bank_statement.uploaded',
        object: { kind: 'bank_statement', id: statement?._id },
        by: { name: 'Olga Operator' },
      },
    ]);
    expect(good(await call('payments.list', { headers: seller.headers, query: {} })).payments).toEqual([]);
  });

  test('can be packed with gzip, and be CSV with the columns of the form', async () => {
    const seller = await newSeller();
    const file = new File(
      [gzipSync('Day;Sum;Text A;Text B;Sens\n20.11.2026;9,99;rent;11;Crédit\n20.11.2026;5,00;;;Débit\n')],
      'day.gz',
    );
    const columns = { date: 'Day', amount: 'Sum', reference: 'Text A; Text B', currency: 'eur' };
    const direction = { direction: 'Sens', creditValues: 'Crédit; Avoir' };
    const written = { dateFormat: 'DD.MM.YYYY', decimalSeparator: ',', ...direction };
    expect((await upload(seller.applicationId, { file, format: 'csv', ...columns, ...written })).status).toBe(
      303,
    );
    const [statement] = await statementsOf(seller);
    const { entries } = good(await statements.readStatement(seller, statement?._id ?? ''));
    expect(entries).toMatchObject([
      { amount: 9.99, currency: 'EUR', text: 'rent 11', valueDate: '2026-11-20' },
    ]);
  });

  test('is refused with a sentence when it is missing, empty, too large, or no statement', async () => {
    const seller = await newSeller();
    const refusals: [Record<string, string | File>, string][] = [
      [{ file: new File([], 'day.xml') }, 'The file is empty.'],
      [{ file: new File([new Uint8Array(3 * 1024 * 1024 + 1)], 'day.xml') }, 'Pack it with gzip.'],
      [{ file: new File([new Uint8Array([0xff, 0xfe, 0x00, 0xd8])], 'day.xml') }, 'is not text in utf-16le.'],
      [{ file: new File([new Uint8Array([0x1f, 0x8b, 8])], 'day.gz') }, 'is not a complete gzip archive.'],
      [
        { file: new File(['a,b\n'], '"><script>.csv'), format: 'csv', name: '"><script>' },
        'needs the columns',
      ],
      [
        { file: new File(['a,b\n'], 'a.csv'), format: 'csv', date: 'a', amount: 'b', account: 'x\ny' },
        'account',
      ],
      [
        { file: new File(['a,b\n'], 'a.csv'), format: 'csv', date: 'a', amount: 'c' },
        'has no line with all columns',
      ],
    ];
    for (const [fields, problem] of refusals) {
      const { status, text } = await upload(seller.applicationId, fields);
      expect([status, text]).toEqual([422, expect.stringContaining(problem)]);
      expect(text).not.toContain('<script');
    }
    const none = await uploadOf(await signedIn('finance'), seller.applicationId, {
      file: new File([], 'none'),
    });
    const unchosen = Object.assign({}, none, {
      body: withoutFile(none.body),
      headers: { ...none.headers, accept },
    });
    const answer = await browse('console-money.statement-upload', unchosen);
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('Choose a file.')]);
    const large = new File([new Uint8Array(4 * 1024 * 1024)], 'day.xml');
    expect((await upload(seller.applicationId, { file: large })).status).toBe(400);
    const { applicationId } = seller;
    const { body, ...request } = await uploadOf(await signedIn('finance'), applicationId);
    const cut = body instanceof Uint8Array ? body.subarray(0, -30) : '';
    const headers = { ...request.headers, accept };
    const malformed = await browse('console-money.statement-upload', { ...request, headers, body: cut });
    expect([malformed.status, malformed.text.includes('This request is not valid')]).toEqual([400, true]);
    expect(await statementsOf(seller)).toEqual([]);
    expect(await actionsOn(applicationId)).toEqual([]);
  });

  test('of another site, of another session, without the scope, or of no application makes no statement', async () => {
    const seller = await newSeller();
    const { applicationId } = seller;
    expect((await upload(applicationId, {}, { site: 'cross-site' })).status).toBe(403);
    expect((await upload(applicationId, { form: 'x' })).status).toBe(403);
    for (const scope of ['review', 'support'] as const)
      expect((await upload(applicationId, {}, { headers: await signedIn(scope) })).status).toBe(403);
    expect((await upload('app_none')).status).toBe(404);
    expect(await statementsOf(seller)).toEqual([]);
  });

  test('is read one at a time: of two clicks one makes a statement', async () => {
    const seller = await newSeller();
    const headers = await signedIn('finance');
    const file = xml(...Array.from({ length: 500 }, (_, n) => entryXml({ amount: `${n + 1}.00` })));
    const answers = await Promise.all([1, 2].map(() => upload(seller.applicationId, { file }, { headers })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
    expect(answers.find(({ status }) => status === 409)?.text).toContain('is being read. Wait');
    expect(await statementsOf(seller)).toHaveLength(1);
  });
});

describe('a statement', () => {
  test('is shown with its entries by match, and texts of strangers as text', async () => {
    const seller = await newSeller();
    const { invoiceId } = await openInvoice(seller, { name: 'Ann Smith' });
    const hostile = '&lt;script&gt;alert(1)&lt;/script&gt;"&gt;';
    const { show, params } = await withStatement(
      [
        entryXml({ amount: '9.99', name: 'Smith, Ann', text: hostile }),
        entryXml({ amount: '7.00', name: hostile, text: 'rent', iban: hostile }),
      ],
      seller,
    );
    const { status, text, headers } = await show();
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty('refresh');
    expect(text).not.toContain('<script');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&gt;');
    expect(text).toContain(`name="choice-1" value="invoiceId:${invoiceId}" checked>`);
    expect(text).toContain('EUR 16.99');
    const suggested = await show({ match: 'suggested' });
    expect(new Set(suggested.text.match(/name="choice-\d+"/g))).toEqual(new Set(['name="choice-1"']));
    const list = await browse('console-money.statement-list', {
      headers: { ...(await signedIn('finance')), accept },
      params: { applicationId: seller.applicationId },
    });
    expect(list.text).toContain(`/statements/${params.statementId}">`);
    expect(list.text).toContain('not confirmed');
  });

  test('of another application is as absent as a missing one, and needs the scope', async () => {
    const other = await newSeller();
    const { show, act, params, headers } = await withStatement([entryXml()]);
    const { applicationId } = other;
    for (const more of [{ applicationId }, { statementId: '"><script>' }, { applicationId: 'app_none' }]) {
      for (const answer of [await show({}, more), await act({ action: 'keep', version: '0' }, more)]) {
        expect(answer.status).toBe(404);
        expect(answer.text).not.toContain('<script');
      }
    }
    const support = await signedIn('support');
    expect((await act({ action: 'confirm', version: '0', reason: 'a' }, {}, support)).status).toBe(403);
    const shown = { headers: { ...support, accept }, params };
    expect((await browse('console-money.statement-show', shown)).status).toBe(403);
    expect((await act({ action: 'keep', version: '0', form: 'x' })).status).toBe(403);
    expect(headers.cookie).toBeDefined();
  });

  test('keeps decisions of several pages, asks before it is confirmed, and is imported with them', async () => {
    const seller = await newSeller();
    const ann = await openInvoice(seller, { name: 'Ann Smith' });
    const bert = await openInvoice(seller, { name: 'Bert Jones' });
    const rest = Array.from({ length: 30 }, (_, n) => entryXml({ amount: `${100 + n}.00`, name: 'Eve' }));
    const { show, act, id } = await withStatement(
      [
        entryXml({ amount: '9.99', name: 'Ann Smith', text: 'a', date: '2026-11-01' }),
        entryXml({ amount: '9.99', name: 'Nobody', text: 'b', date: '2026-11-02' }),
        ...rest,
      ],
      seller,
    );
    const first = await show();
    const [, next = ''] = /name="next" value="([^"]+)"/.exec(first.text) ?? [];
    expect(first.text).toContain('Save, next page');
    const kept = await act({
      action: 'keep',
      version: '0',
      next,
      'choice-1': `invoiceId:${ann.invoiceId}`,
      'choice-2': '',
      'other-2': ` ${bert.invoiceId} `,
    });
    expect([kept.status, kept.headers.location]).toEqual([303, expect.stringContaining('cursor=')]);
    expect(
      (await act({ action: 'review', version: '1', 'choice-32': 'skip', 'choice-31': '' })).headers.location,
    ).toContain('view=confirm');
    const again = await show();
    expect(again.text).toContain(`value="invoiceId:${ann.invoiceId}" checked>`);
    expect(again.text).toContain(`name="other-2" type="text" value="${bert.invoiceId}"`);
    const question = await show({ view: 'confirm' });
    const rowOf = (title: string) =>
      new RegExp(`${title}</th><td[^>]*>(\\d+)</td><td[^>]*>([^<]*)<`).exec(question.text)?.slice(1);
    expect(rowOf('Applied to invoices or subscriptions')).toEqual(['2', 'EUR 19.98']);
    expect(rowOf('Recorded as unapplied payments')).toEqual(['29', 'EUR 3,306.00']);
    expect(rowOf('Left out')).toEqual(['1', 'EUR 129.00']);
    const done = await Promise.all(
      [1, 2].map(() => act({ action: 'confirm', version: '2', reason: 'The day of 20 November.' })),
    );
    expect(done.map(({ status }) => status)).toEqual([303, 303]);
    const working = await show();
    expect(working.headers.refresh).toBe('5');
    expect(working.text).toContain('max="32" value="0"');
    await stage.settle();
    const imported = await show();
    expect(imported.headers).not.toHaveProperty('refresh');
    expect(imported.text).toContain('Apply unapplied payments: 29 of this statement');
    const { statement } = good(await statements.readStatement(seller, id));
    expect(statement.progress.results).toMatchObject({ applied: 2, unapplied: 29, skipped: 1 });
    expect((await act({ action: 'confirm', version: '2', reason: 'Again.' })).status).toBe(303);
    const confirmed = await actionsOn(seller.applicationId);
    expect(confirmed).toMatchObject([
      { action: 'bank_statement.confirmed', object: { id }, reason: 'The day of 20 November.' },
    ]);
  });

  test('is confirmed with the decisions that its page showed, and no others', async () => {
    const { seller, act, id } = await withStatement([entryXml(), entryXml({ amount: '5.00' })]);
    const answers = await Promise.all([
      act({ action: 'keep', version: '0', 'choice-1': 'skip' }),
      act({ action: 'keep', version: '0', 'choice-2': 'skip' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
    expect(answers.find(({ status }) => status === 409)?.text).toContain('Reload the page and try again.');
    // A person who did not see the decision that was kept.
    expect((await act({ action: 'confirm', version: '0', reason: 'a' })).status).toBe(409);
    for (const reason of ['', '  '])
      expect((await act({ action: 'confirm', version: '1', reason })).status).toBe(400);
    expect(good(await statements.readStatement(seller, id)).statement.status).toBe('ready');
    // The application confirms it with others.
    good(await statements.confirm(seller, id));
    expect((await act({ action: 'confirm', version: '1', reason: 'a' })).status).toBe(409);
    expect((await act({ action: 'keep', version: '1', 'choice-1': 'skip' })).status).toBe(409);
    expect(await actionsOn(seller.applicationId)).toEqual([]);
    await stage.settle();
  });

  test('keeps no decision that is not possible', async () => {
    const { invoiceId: foreign } = await openInvoice(await newSeller());
    const { act, show } = await withStatement([entryXml()]);
    for (const [fields, status] of [
      [{ 'choice-1': `invoiceId:${foreign}` }, 422],
      [{ 'choice-1': '', 'other-1': '"><script>' }, 422],
      [{ 'choice-1': '', 'payment-1': 'pay_x' }, 422],
      [{ 'choice-9': 'skip' }, 422],
      [{ 'choice-1': 'invoiceId:' }, 400],
      [{ 'choice-1': 'constructor:x' }, 400],
    ] as const) {
      const answer = await act({ action: 'keep', version: '0', ...fields });
      expect(answer.status).toBe(status);
      expect(answer.text).not.toContain('<script');
    }
    expect((await show()).text).toContain('0 decisions are kept.');
  });
});
