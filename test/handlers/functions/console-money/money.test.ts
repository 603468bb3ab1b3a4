import { randomUUID } from 'node:crypto';
import { applicationList } from '../../../../functions/console/pages/application-list.ts';
import {
  addressesFrom,
  type ConsolePath,
  filled,
  type Visit,
} from '../../../../functions/console/pages/visit.ts';
import { barChart, partBar, ticksTo } from '../../../../functions/console-money/pages/report-sections.ts';
import { showMoney, wholeFile } from '../../../../functions/console-money/show.ts';
import type { Payment } from '../../../../functions/ledger/payment.ts';
import { paymentPage } from '../../../../functions/ledger/payment-page.ts';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { html } from '../../../../functions/shared/html/markup.ts';
import { recordsOfFile } from '../../../../functions/shared/lists/records-of-file.ts';
import { dayMs, secondMs } from '../../../../functions/shared/runtime/clock.ts';
import { withCandidates } from '../../../../functions/statements/import/waiting.ts';
import { call, good, newSeller, newTenant, type Tenant } from '../../../support/call.ts';
import { actionRequest, actionsOn, signedIn } from '../../../support/samples/console.ts';
import { goodPayment, openInvoice, recordPayment, waitingPayment } from '../../../support/samples/finance.ts';
import { browse } from '../../../support/samples/forms.ts';
import { asOperator, newApplication } from '../../../support/samples/operator.ts';

afterEach(() => vi.useRealTimers());

const visitOf = (path: ConsolePath, nowMs: number): Visit =>
  Object.assign(addressesFrom(path), {
    operator: { keyId: 'key_1', name: 'Olga', from: '192.0.2.1' },
    scopes: ['finance'],
    formToken: 'token',
    path,
    query: {},
    notice: undefined,
    noticeForm: undefined,
    nowMs,
    sessionEndsAtMs: 0,
  });

const money = async (
  applicationId: string,
  query: Record<string, string> = {},
  ...scopes: Parameters<typeof signedIn>
) =>
  browse('console-money.show', {
    headers: {
      ...(await signedIn(...(scopes.length === 0 ? (['finance'] as const) : scopes))),
      accept: 'text/html',
    },
    params: { applicationId },
    query,
  });

const applicationForm = async (
  { applicationId }: Pick<Tenant, 'applicationId'>,
  { payment = '', candidate, invoice, ...fields }: Record<string, string>,
  headers?: { cookie: string },
) =>
  actionRequest(
    headers ?? (await signedIn('finance')),
    Object.assign(
      {
        operation: 'apply',
        once: randomUUID(),
        applicationId,
        'path.id': payment,
        reason: 'Named in the mail.',
      },
      defined({ 'body.invoiceId': candidate, 'body.invoiceId.other': invoice }),
      fields,
    ),
  );

async function apply(...form: Parameters<typeof applicationForm>) {
  const request = await applicationForm(...form);
  return browse('console-operations.payments', {
    ...request,
    headers: { ...request.headers, accept: 'text/html' },
  });
}

const paymentOf = async (seller: Tenant, id: string) =>
  good(await call('payments.read', { headers: seller.headers, params: { id } })).payment;

describe('the payments that wait', () => {
  test('are shown with the invoices that they can be for, the best first, and no markup of strangers', async () => {
    const seller = await newSeller();
    const name = 'Ann <script>alert(1)</script>';
    const own = await openInvoice(seller, { name });
    const other = await openInvoice(seller, { name: 'Bert' });
    const reference = '"><script>alert(1)</script>';
    const payer = { name, iban: 'DE02120300000000202051' };
    good(await recordPayment(seller, goodPayment({ reference, payer })));
    const { status, text } = await money(seller.applicationId);
    expect(status).toBe(200);
    expect(text).not.toContain('<script');
    expect(text).toContain('<h3>EUR 9.99</h3>');
    expect(text).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).toContain('<dt>Why it is unapplied</dt><dd dir="auto">unknown reference</dd>');
    expect(text).toContain(`name="body.invoiceId" value="${own.invoiceId}" checked>`);
    expect(text).toContain(
      `>${own.number}, EUR 9.99 due, Ann &lt;script&gt;alert(1)&lt;/script&gt;, ${own.externalId}</span>`,
    );
    expect(text).not.toMatch(/>[^<]*inv_|<select/);
    expect(text).not.toContain(other.externalId);
  });

  test('of a known client are proposed its open invoices of the currency', async () => {
    const seller = await newSeller();
    const own = await openInvoice(seller, { name: 'Bert' });
    const other = await openInvoice(seller, { name: 'Carl' });
    good(await recordPayment(seller, goodPayment({ amount: 5 })));
    const { applicationId } = seller;
    const { items } = await paymentPage(applicationId, { unapplied: 'true' }, (payment) => payment);
    const proposed = async (more: Partial<Payment>) => {
      const payments = items.map((payment) => Object.assign({}, payment, more));
      const [waiting] = await withCandidates(applicationId, payments);
      return waiting?.candidates.map(({ invoiceId }) => invoiceId);
    };
    const { externalId } = own;
    expect(await proposed({})).toEqual([]);
    expect(await proposed({ externalId })).toEqual([own.invoiceId]);
    expect(await proposed({ externalId: other.externalId })).toEqual([other.invoiceId]);
    expect(await proposed({ externalId, currency: 'USD' })).toEqual([]);
    expect(await withCandidates((await newSeller()).applicationId, items)).toMatchObject([
      { candidates: [] },
    ]);
  });

  test('have no invoice preset that is due another amount', async () => {
    const seller = await newSeller('none', { invoices: { numbering: 'seller', invoicePrefix: 'RE-' } });
    const { invoiceId, number } = await openInvoice(seller);
    good(await recordPayment(seller, goodPayment({ amount: 5, reference: `Invoice ${number}` })));
    const { text } = await money(seller.applicationId);
    expect(text).toContain(`name="body.invoiceId" value="${invoiceId}">`);
    expect(text).toContain('name="body.invoiceId" value="" checked> <span dir="auto">Another invoice');
    expect(text).toContain('partial: EUR 4.99 stays due');
  });

  test('become credit when their invoice is closed meanwhile, and the notice says so', async () => {
    const { seller, paymentId: payment } = await waitingPayment();
    const { invoiceId, subscriptionId } = await openInvoice(seller);
    good(await seller.act('cancel', subscriptionId));
    const { headers } = await apply(seller, { payment, invoice: invoiceId }, await signedIn('finance'));
    expect(decodeURIComponent(headers.location ?? '')).toMatch(
      /was.applied:.EUR.[\d.]+.to.the.credit.of.the.client/,
    );
  });

  test('are applied once by two clicks at the same time, with one record of the action in the same transaction', async () => {
    const { seller, paymentId: payment } = await waitingPayment();
    const { invoiceId: candidate } = await openInvoice(seller);
    const headers = await signedIn('finance');
    const answers = await Promise.all([
      apply(seller, { payment, candidate }, headers),
      apply(seller, { payment, candidate }, headers),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
    expect(answers.find(({ status }) => status === 409)?.text).toContain('The status does not allow this.');
    const { location = '' } = answers.find(({ status }) => status === 303)?.headers ?? {};
    const query = Object.fromEntries(new URL(location, 'https://c.example/console/money/a').searchParams);
    const shown = await browse('console-money.show', {
      headers,
      params: { applicationId: seller.applicationId },
      query,
    });
    expect(shown.text).toMatch(/role="status">The payment was applied: EUR.[\d.]+ to INV-[\w-]+/);
    expect(await paymentOf(seller, payment)).toMatchObject({
      status: 'applied',
      applied: [{ invoiceId: candidate }],
    });
    expect(await actionsOn(payment)).toMatchObject([
      {
        action: 'payment.applied',
        object: { kind: 'payment', id: payment, applicationId: seller.applicationId },
        by: { name: 'Olga Operator' },
        reason: 'Named in the mail.',
      },
    ]);
  });

  test('are applied to an invoice that a person names, in place of the proposed one', async () => {
    const { seller, paymentId: payment } = await waitingPayment();
    const { invoiceId: candidate } = await openInvoice(seller);
    const { invoiceId } = await openInvoice(seller, { name: 'Bert' });
    expect((await apply(seller, { payment, candidate, invoice: ` ${invoiceId} ` })).status).toBe(303);
    expect((await paymentOf(seller, payment)).applied).toMatchObject([{ invoiceId }]);
  });

  test('stay as they are after a form that is foreign, incomplete, or about records of another application', async () => {
    const { seller, paymentId: payment } = await waitingPayment();
    const other = await newSeller();
    const { invoiceId: invoice } = await openInvoice(seller);
    const { invoiceId: foreign } = await openInvoice(other);
    const answers = [
      [404, await apply(other, { payment, invoice: foreign })],
      [404, await apply(seller, { payment, invoice: foreign })],
      [404, await apply(seller, { payment, invoice: '"><script>' })],
      [422, await apply(seller, { payment })],
      [404, await apply({ applicationId: 'app_none' }, { payment, invoice })],
      [422, await apply(seller, { payment, invoice, reason: '' })],
      [422, await apply(seller, { payment, invoice, reason: '  ' })],
      [403, await apply(seller, { payment, invoice, form: 'x' })],
      [403, await apply(seller, { payment, invoice }, await signedIn('support'))],
      [403, await apply(seller, { payment, invoice }, await signedIn('review'))],
    ] as const;
    for (const [status, answer] of answers) {
      expect(answer.status).toBe(status);
      expect(answer.text).not.toContain('<script');
    }
    const request = await applicationForm(seller, { payment, invoice });
    const headers = Object.assign({ 'sec-fetch-site': 'cross-site' }, request.headers);
    expect((await browse('console-operations.payments', { ...request, headers })).status).toBe(403);
    expect(await paymentOf(seller, payment)).toMatchObject({ status: 'unapplied', waiting: 9.99 });
    expect(await actionsOn(payment)).toEqual([]);
  });

  test('are shown page by page', async () => {
    const seller = await newSeller();
    for (let n = 0; n < 11; n += 1) good(await recordPayment(seller, goodPayment({ amount: 100 + n })));
    const first = await money(seller.applicationId);
    const amounts = (text: string) =>
      [...text.matchAll(/<h3>EUR (1\d\d)\.00</g)].map(([, amount]) => Number(amount));
    const [, cursor = ''] = /cursor=([^"&]+)"/.exec(first.text) ?? [];
    const second = await money(seller.applicationId, { cursor: decodeURIComponent(cursor) });
    expect([...amounts(first.text), ...amounts(second.text)]).toEqual(
      Array.from({ length: 11 }, (_, n) => 110 - n),
    );
    expect(
      (await money((await newSeller()).applicationId, { cursor: decodeURIComponent(cursor) })).status,
    ).toBe(400);
  });
});

describe('the reports', () => {
  test('show receivables by age, and the recurring revenue of twelve months with its churn', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 2, 10) });
    const seller = await newSeller();
    const planId = await seller.newPlan({ price: 20 });
    await seller.subscribedByTransfer({ planId });
    const ended = await seller.subscribedByTransfer({ planId });
    vi.setSystemTime(Date.UTC(2026, 2, 20));
    good(
      await call('subscriptions.cancel', {
        headers: seller.headers,
        params: { id: ended },
        body: { atPeriodEnd: false },
      }),
    );
    vi.setSystemTime(Date.UTC(2026, 3, 1));
    await openInvoice(seller);
    const { text } = await money(seller.applicationId);
    expect(text).toContain('<h3>EUR 20.00 a month</h3>');
    expect(text).toMatch(
      /<svg role="img" aria-labelledby="recurring-1"[^>]*><title id="recurring-1">[^<]*<\/title><desc [^>]*>May: EUR 0\.00, EUR 0\.00; [^<]*; Jan 2026: [^<]*; Apr: EUR 20\.00, EUR 0\.00<\/desc>/,
    );
    const rows = [...text.matchAll(/<th scope="row" dir="auto">(2\d{3}-\d\d)<\/th>(.*?)<\/tr>/gs)];
    expect(rows.map(([, month]) => month)).toEqual([
      ...Array.from({ length: 8 }, (_, i) => `2025-${String(i + 5).padStart(2, '0')}`),
      ...['2026-01', '2026-02', '2026-03', '2026-04'],
    ]);
    expect(rows.at(-2)?.[2]).toMatch(/>EUR 20\.00<.*>EUR 20\.00<.*>1 of 0</s);
    expect(rows.at(-1)?.[2]).toMatch(/>EUR 20\.00<.*>EUR 0\.00<.*>0 of 1<.*>0\.00 %</s);
    expect(text).toContain('Owed in EUR, by days after the due date: EUR 9.99');
    expect(text.match(/<svg class="part"/g)).toHaveLength(5);
  });

  test('say that they are being prepared, and go on when the page is loaded again', async () => {
    const startMs = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: startMs });
    const seller = await newSeller();
    for (let n = 0; n < 3; n += 1) await openInvoice(seller);
    const { applicationId } = seller;
    const visit = visitOf('/console/money/{applicationId}', startMs);
    const input = {
      params: { applicationId },
      query: {},
      headers: {},
      body: undefined,
      caller: undefined,
      remote: { address: '192.0.2.1', userAgent: undefined },
      baseUrl: 'https://api.example',
      rateLimitPassed: Promise.resolve(),
    };
    const shown = async () => {
      // A request begins no page after five seconds: each request reads one.
      visit.nowMs += 20 * secondMs;
      vi.setSystemTime(visit.nowMs + 10 * secondMs);
      const answer = await showMoney(input, visit, 1);
      return answer.kind === 'page' ? answer.content.markup : '';
    };
    expect((await shown()).match(/being prepared/g)).toHaveLength(2);
    let text = '';
    for (let n = 0; n < 6 && (text === '' || text.includes('being prepared')); n += 1) text = await shown();
    expect(text).toContain('Owed in EUR, by days after the due date: EUR 29.97');
  });

  test('of an application without money say so', async () => {
    const { applicationId } = await newTenant();
    const { status, text } = await money(applicationId);
    expect(status).toBe(200);
    expect(text).toContain('No unapplied payments.');
    expect(text).toContain('<p>No receivables.</p>');
    expect(text).toContain('<p>No recurring revenue.</p>');
  });

  test('draw bars in proportion to the largest value, and none for what is not above 0', () => {
    const { markup } = barChart({
      id: 'c',
      title: 'A',
      labels: ['Jan 2026', 'Feb', 'Mar', 'Apr'],
      series: [{ color: 'main', values: [10, 5, 0, -3] }],
      text: (value) => `${value} EUR`,
    });
    expect(markup).toContain('<span>10 EUR</span><span>5 EUR</span><span>0 EUR</span>');
    expect(markup).toContain('Jan 2026: 10 EUR; Feb: 5 EUR; Mar: 0 EUR; Apr: -3 EUR</desc>');
    expect(markup).toMatch(
      />10 EUR<\/text><text [^>]*>5 EUR<\/text><\/svg>.*<span>Jan 2026<\/span><span [^>]*>Feb<\/span><span [^>]*>Mar</,
    );
    expect([0, 1, 2, 7, 1_250, 99_999].map(ticksTo)).toEqual([
      [0, 1, 2],
      [0, 1, 2],
      [0, 1, 2],
      [0, 5, 10],
      [0, 500, 1_000, 1_500],
      [0, 50_000, 100_000],
    ]);
    expect([...markup.matchAll(/height="([\d.]+)"\/>/g)].map(([, size]) => size)).toEqual([
      '160.0',
      '80.0',
      '0.0',
      '0.0',
    ]);
    expect(partBar(1, 4).markup).toContain('width="25.0"');
    expect(partBar(1, 0).markup).toContain('width="0.0"');
    expect(partBar(-1, 4).markup).toContain('width="0.0"');
  });
});

describe('the files', () => {
  test('have the journal of a period, and the receivables', async () => {
    const seller = await newSeller();
    const { number } = await openInvoice(seller);
    const today = new Date().toISOString().slice(0, 10);
    const journal = await money(seller.applicationId, { file: 'journal', from: today, to: '' });
    expect(journal.headers).toMatchObject({
      'content-type': expect.stringMatching(/^text\/csv/),
      'content-disposition': 'attachment; filename="journal.csv"',
    });
    expect(journal.text).toContain('receivable');
    const former = await money(seller.applicationId, {
      file: 'journal',
      to: new Date(Date.now() - 2 * dayMs).toISOString(),
    });
    expect(former.text).not.toContain('receivable');
    const receivables = await money(seller.applicationId, { file: 'receivables' });
    expect(receivables.headers['content-disposition']).toBe('attachment; filename="receivables.csv"');
    expect(receivables.text).toContain(number);
    for (const period of [{ from: '"><script>' }, { from: '2026-02-01', to: '2026-01-01' }]) {
      const refused = await money(seller.applicationId, { file: 'journal', ...period });
      expect([refused.status, refused.text.includes('Enter valid dates')]).toEqual([400, true]);
    }
  });

  test('are refused where a record would be missing', async () => {
    const endless = async ({ limit }: { limit: number }) => ({
      items: Array.from({ length: limit }, () => 'row'),
      nextCursor: 'more',
    });
    expect(await wholeFile('rows.csv', endless, (rows) => rows.join('\n'))).toMatchObject({
      kind: 'page',
      status: 400,
    });
  });

  test('are whole, or say that they are not', async () => {
    const read = async ({ limit, cursor = '0' }: { limit: number; cursor: string | undefined }) => ({
      items: Array.from({ length: limit }, (_, i) => Number(cursor) + i),
      ...defined({ nextCursor: cursor === '200' ? undefined : String(Number(cursor) + limit) }),
    });
    const whole = await recordsOfFile(read, { most: 300 });
    expect(whole).toEqual({ records: Array.from({ length: 300 }, (_, i) => i), isWhole: true });
    expect(await recordsOfFile(read, { most: 200 })).toMatchObject({ isWhole: false });
    // A selective filter leads to pages with few records, or none.
    const sparse =
      (pages: number) =>
      async ({ cursor = '1' }: { cursor: string | undefined }) => ({
        items: Array.from({ length: Number(cursor) % 2 === 0 ? 7 : 0 }, () => cursor),
        ...defined({ nextCursor: cursor === String(pages) ? undefined : String(Number(cursor) + 1) }),
      });
    const fromSparse = await recordsOfFile(sparse(20), { most: 100 });
    expect([fromSparse.records.length, fromSparse.isWhole]).toEqual([70, true]);
    expect(await recordsOfFile(sparse(1e9), { most: 100 })).toMatchObject({ isWhole: false });
    const uneven = async ({ limit }: { limit: number }) => ({
      items: Array(Math.min(limit, 70)),
      nextCursor: 'x',
    });
    expect((await recordsOfFile(uneven, { most: 100 })).records).toHaveLength(100);
    const large = async () => ({ items: ['x'.repeat(3_000_000), 'x'.repeat(3_000_000)] });
    expect((await recordsOfFile(large, { most: 100 })).records).toHaveLength(1);
    expect((await recordsOfFile(large, { most: 100 })).isWhole).toBe(false);
  });
});

describe('the pages of money', () => {
  test('list the applications to finance alone, and link them', async () => {
    const { applicationId } = await newTenant();
    good(await call('applications.create', await asOperator({ body: newApplication })));
    const { text } = await browse('console-money.home', { headers: await signedIn('finance') });
    expect(text).toMatch(/<a href="\.\.\/console\/money\/app_\w{26}">/);
    for (const scope of ['review', 'support'] as const) {
      for (const answer of [
        await browse('console-money.home', { headers: await signedIn(scope) }),
        await money(applicationId, {}, scope),
        await money(applicationId, { file: 'journal' }, scope),
      ])
        expect([answer.status, answer.text.includes('needs the scope finance')]).toEqual([403, true]);
    }
  });

  test.each(['app_none', 'a'.repeat(128), '"><script>', '../audit'])(
    'of no application %s are not found',
    async (id) => {
      const { status, text } = await money(id);
      expect([status, text.includes('There is no such record')]).toEqual([404, true]);
      expect(text).not.toContain('<script');
    },
  );
});

test('hostile names and ids are text in the list of applications', async () => {
  const hostile = '<script>"';
  const visit = visitOf('/console/money', 0);
  const read = async () => ({
    items: [{ _id: hostile, name: hostile, createdAt: '2026-11-01T00:00:00.000Z' }],
  });
  const href = (applicationId: string) =>
    visit.href(filled('/console/money/{applicationId}', { applicationId }));
  const answer = await applicationList(visit, 'Money', href, read);
  const { markup } = answer.kind === 'page' ? answer.content : html``;
  expect(markup).not.toContain('<script');
  expect(markup).toContain('href="../console/money/%3Cscript%3E%22">&lt;script&gt;&quot;</a>');
});
