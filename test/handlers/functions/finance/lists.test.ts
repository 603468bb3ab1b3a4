/** The lists of finance: what is on a page, whose it is, and what happens to it while records change. */
import { describe, expect, test } from 'vitest';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { dayMs } from '../../../../functions/shared/runtime/duration.ts';
import { call } from '../../../support/call.ts';
import {
  paymentRecord,
  putInvoice,
  putPayment,
  putSubscriptionAlone,
} from '../../../support/finance/population.ts';
import { invoiceRecord, subscriptionRecord } from '../../../support/subscriptions/records.ts';
import {
  act,
  asSeller,
  details,
  good,
  newClient,
  newSeller,
  subscribed,
} from '../../../support/subscriptions/requests.ts';
import { bearer, newOperatorKey, type Tenant } from '../../../support/tenants.ts';

type ListRoute =
  | 'subscriptions.list'
  | 'finance.invoice-list'
  | 'finance.client-list'
  | 'finance.payment-list';
const nameOf = {
  'subscriptions.list': 'subscriptions',
  'finance.invoice-list': 'invoices',
  'finance.client-list': 'clients',
  'finance.payment-list': 'payments',
} as const;
const routes = Object.keys(nameOf) as ListRoute[];

const list = (
  route: ListRoute,
  seller: Tenant,
  query: Record<string, string> = {},
  accept = 'application/json',
) => call(route, { headers: { ...asSeller(seller), accept }, query });

/** The ids of a page. */
async function idsOf(
  route: ListRoute,
  seller: Tenant,
  query: Record<string, string> = {},
): Promise<string[]> {
  const records: { _id?: string; externalId: string }[] = good(await list(route, seller, query))[
    nameOf[route]
  ];
  return records.map(({ _id, externalId }) => _id ?? externalId);
}

/** The ids of all pages. @param between runs after each page but the last. */
async function allIds(
  route: ListRoute,
  seller: Tenant,
  query: Record<string, string>,
  between: (page: number) => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const body = good(await list(route, seller, { ...query, ...defined({ cursor }) }));
    const records: { _id?: string; externalId: string }[] = body[nameOf[route]];
    seen.push(...records.map(({ _id, externalId }) => _id ?? externalId));
    cursor = body.nextCursor;
    if (cursor === undefined) return seen;
    await between(page);
  }
}

/** Subscriptions of a seller a minute apart, oldest first, in the states given in turn. */
async function populate(
  seller: Tenant,
  count: number,
  statuses = ['active', 'cancelled', 'past_due'] as const,
) {
  const made = Array.from({ length: count }, (_, i) =>
    subscriptionRecord({
      applicationId: seller.applicationId,
      status: statuses[i % statuses.length] ?? 'active',
      createdAtMs: Date.UTC(2026, 0, 1) + i * 60_000,
    }),
  );
  await Promise.all(made.map(putSubscriptionAlone));
  return made;
}

describe('what the engine writes', () => {
  test('is listed from its creation on, under its present status, with all its changes', async () => {
    const seller = await newSeller();
    const { id, externalId } = await subscribed(seller, 'pending');
    const invoice = good(await details(seller, id)).subscription.invoices[0]._id;
    expect(await idsOf('subscriptions.list', seller, { status: 'pending' })).toEqual([id]);
    expect(await idsOf('finance.invoice-list', seller, { status: 'open' })).toEqual([invoice]);
    expect(await idsOf('finance.client-list', seller)).toEqual([externalId]);
    good(await act(seller, 'activate', id));
    expect(await idsOf('subscriptions.list', seller, { status: 'pending' })).toEqual([]);
    expect(await idsOf('subscriptions.list', seller, { status: 'active' })).toEqual([id]);
    expect(await idsOf('finance.invoice-list', seller, { status: 'open' })).toEqual([]);
    expect(await idsOf('finance.invoice-list', seller, { status: 'paid' })).toEqual([invoice]);
    good(await act(seller, 'cancel', id));
    expect(await idsOf('subscriptions.list', seller, { status: 'active,pending' })).toEqual([]);
    expect(await idsOf('subscriptions.list', seller)).toEqual([id]);
  });

  test('shows each record as its own endpoint does', async () => {
    const seller = await newSeller();
    const { id } = await subscribed(seller, 'active');
    const { invoices, timeline: _, ...subscription } = good(await details(seller, id)).subscription;
    expect(good(await list('subscriptions.list', seller)).subscriptions).toEqual([subscription]);
    expect(good(await list('finance.invoice-list', seller)).invoices[0]).toMatchObject(invoices[0]);
  });

  test('is no longer open and due once a part of it is all that is missing and paid', async () => {
    const seller = await newSeller();
    const subscription = subscriptionRecord({ applicationId: seller.applicationId });
    await putInvoice(invoiceRecord(subscription, 1, { receivedMinor: 400 }));
    await putInvoice(invoiceRecord(subscription, 2, { status: 'paid', receivedMinor: 999 }));
    const { invoices } = good(await list('finance.invoice-list', seller));
    expect(
      invoices.map(({ status, amountDue }: { status: string; amountDue: number }) => [status, amountDue]),
    ).toEqual(
      expect.arrayContaining([
        ['open', 5.99],
        ['paid', 0],
      ]),
    );
  });
});

describe('the pages of a list', () => {
  test.each([3, 7, 50, 100])('of %i records have no gap and no repeat, newest first', async (limit) => {
    const seller = await newSeller();
    const made = await populate(seller, 120);
    const ids = await allIds('subscriptions.list', seller, { limit: String(limit) });
    expect(ids).toEqual(made.map(({ subscriptionId }) => subscriptionId).toReversed());
  });

  test('have no gap and no repeat while every record changes its status between two pages', async () => {
    const seller = await newSeller();
    const made = await populate(seller, 60);
    const ids = await allIds('subscriptions.list', seller, { limit: '7' }, async (page) => {
      const status = page % 2 === 0 ? 'active' : 'expired';
      await Promise.all(made.map((one) => putSubscriptionAlone({ ...one, status })));
    });
    expect(ids).toEqual(made.map(({ subscriptionId }) => subscriptionId).toReversed());
  });

  test('of a status show what has it when the page is read', async () => {
    const seller = await newSeller();
    const made = await populate(seller, 40, ['active'] as never);
    // The oldest ten are cancelled before they are reached.
    const ids = await allIds('subscriptions.list', seller, { limit: '10', status: 'active' }, () =>
      Promise.all(made.slice(0, 10).map((one) => putSubscriptionAlone({ ...one, status: 'cancelled' }))),
    );
    expect(ids).toEqual(
      made
        .slice(10)
        .map(({ subscriptionId }) => subscriptionId)
        .toReversed(),
    );
  });

  test('continue where they were when new records come to the front', async () => {
    const seller = await newSeller();
    const made = await populate(seller, 30);
    const ids = await allIds('subscriptions.list', seller, { limit: '10' }, async () => {
      await putSubscriptionAlone(subscriptionRecord({ applicationId: seller.applicationId }));
    });
    expect(ids).toEqual(made.map(({ subscriptionId }) => subscriptionId).toReversed());
    expect(await idsOf('subscriptions.list', seller)).toHaveLength(32);
  });

  test('with a filter that few records pass are short, and lead to all of them', async () => {
    const seller = await newSeller();
    const made = await populate(seller, 50);
    const rare = { ...subscriptionRecord().plan, planId: 'pln_01JD0000000000000000000RAR' };
    const wanted = made.filter((_, i) => i % 17 === 0);
    await Promise.all(wanted.map((one) => putSubscriptionAlone({ ...one, plan: rare })));
    const ids = await allIds('subscriptions.list', seller, { limit: '2', planId: rare.planId });
    expect(ids).toEqual(wanted.map(({ subscriptionId }) => subscriptionId).toReversed());
  });

  test.each(routes)(
    'of %s belong to the filters of the first: another filter refuses the cursor',
    async (route) => {
      const seller = await newSeller();
      await Promise.all([subscribed(seller), subscribed(seller)]);
      await Promise.all([1, 2].map(() => putPayment(paymentRecord(seller))));
      const { nextCursor: cursor } = good(await list(route, seller, { limit: '1' }));
      expect(good(await list(route, seller, { limit: '1', cursor }))[nameOf[route]]).toHaveLength(1);
      const { status, body } = await list(route, seller, { limit: '1', cursor, from: '2020-01-01' });
      expect([status, Object.keys(body.details)]).toEqual([400, ['cursor']]);
    },
  );
});

describe('filters', () => {
  test('take days, of which the last is included, and times, of which it is not', async () => {
    const seller = await newSeller();
    const noon = Date.UTC(2026, 2, 10, 12);
    const made = [-1, 0, 1].map((day) =>
      subscriptionRecord({ applicationId: seller.applicationId, createdAtMs: noon + day * dayMs }),
    );
    await Promise.all(made.map(putSubscriptionAlone));
    const [before, on, after] = made.map(({ subscriptionId }) => subscriptionId);
    const found = (query: Record<string, string>) => idsOf('subscriptions.list', seller, query);
    expect(await found({ from: '2026-03-10', to: '2026-03-10' })).toEqual([on]);
    expect(await found({ from: '2026-03-10' })).toEqual([after, on]);
    expect(await found({ to: '2026-03-10' })).toEqual([on, before]);
    expect(await found({ to: '2026-03-10T12:00:00Z' })).toEqual([before]);
    expect(await found({ from: '2026-03-10T12:00:00Z' })).toEqual([after, on]);
    expect(await found({ from: '2026-03-10T13:00:00+01:00', to: '2026-03-10T12:00:00.001Z' })).toEqual([on]);
  });

  test.each(['2026-02-30', '2026-13-01', '10.3.2026', '2026-03-10T12:00:00', '1', '', '12026-01-01'])(
    'refuse %j as a day',
    async (from) => {
      const { status, body } = await list('finance.invoice-list', await newSeller(), { from });
      expect([status, Object.keys(body.details)]).toEqual([400, ['from']]);
    },
  );

  test.each(['', 'open,', 'open,unknown', 'OPEN', 'open;paid'])('refuse %j as a status', async (status) => {
    const answer = await list('finance.invoice-list', await newSeller(), { status });
    expect([answer.status, Object.keys(answer.body.details)]).toEqual([400, ['status']]);
  });

  test.each(routes)('%s refuses a period that ends before it begins', async (route) => {
    const { status, body } = await list(route, await newSeller(), { from: '2026-11-03', to: '2026-11-01' });
    expect([status, body.details]).toEqual([400, { from: 'must not be after `to`' }]);
  });

  test('find overdue invoices: open, and past their due date', async () => {
    const seller = await newSeller();
    const subscription = subscriptionRecord({ applicationId: seller.applicationId });
    const past = Date.now() - dayMs;
    const overdue = invoiceRecord(subscription, 1, { dueAtMs: past });
    await putInvoice(overdue);
    await putInvoice(invoiceRecord(subscription, 2, { dueAtMs: past, status: 'paid' }));
    await putInvoice(invoiceRecord(subscription, 3));
    expect(await idsOf('finance.invoice-list', seller, { overdue: 'true' })).toEqual([overdue.invoiceId]);
    expect(await idsOf('finance.invoice-list', seller, { overdue: 'true', status: 'paid' })).toEqual([]);
    const { status } = await list('finance.invoice-list', seller, { overdue: 'false' });
    expect(status).toBe(400);
  });

  test('find payments that wait for a decision, and those of a client', async () => {
    const seller = await newSeller();
    const waiting = paymentRecord(seller, { status: 'unapplied', allocations: [], externalId: 'ann' });
    const half = paymentRecord(seller, { status: 'unapplied', allocations: [], returnedMinor: 400 });
    const done = paymentRecord(seller, { status: 'applied', externalId: 'ann' });
    await Promise.all([waiting, half, done].map(putPayment));
    const found = async (query: Record<string, string>) =>
      (await idsOf('finance.payment-list', seller, query)).toSorted();
    const ids = (...payments: { paymentId: string }[]) =>
      payments.map(({ paymentId }) => paymentId).toSorted();
    expect(await found({ unapplied: 'true' })).toEqual(ids(waiting, half));
    expect(await found({ status: 'unapplied' })).toEqual(ids(waiting, half));
    expect(await found({ externalId: 'ann' })).toEqual(ids(waiting, done));
    expect(await found({ status: 'applied,returned' })).toEqual(ids(done));
    expect(await found({})).toEqual(ids(waiting, half, done));
  });
});

describe('whose list it is', () => {
  test.each(routes)('%s shows an application nothing of another, whatever the cursor', async (route) => {
    const seller = await newSeller();
    const stranger = await newSeller();
    await Promise.all([subscribed(seller, 'active'), subscribed(seller, 'active')]);
    await Promise.all([1, 2].map(() => putPayment(paymentRecord(seller))));
    const own = good(await list(route, seller, { limit: '1' }));
    expect(own[nameOf[route]]).toHaveLength(1);
    expect(good(await list(route, stranger))).toEqual({ [nameOf[route]]: [] });
    expect((await list(route, stranger, { limit: '1', cursor: own.nextCursor })).status).toBe(400);
  });

  test.each(routes)('%s shows an operator the list of the application that they name', async (route) => {
    const seller = await newSeller();
    await subscribed(seller, 'pending');
    await putPayment(paymentRecord(seller));
    const headers = { ...bearer(await newOperatorKey()), 'x-application-id': seller.applicationId };
    expect(good(await call(route, { headers }))[nameOf[route]]).toHaveLength(1);
    expect((await call(route, { headers: bearer(seller.clientSecret) })).status).toBe(401);
  });

  test('an application whose id is the beginning of another has a list of its own', async () => {
    const seller = await newSeller();
    await putSubscriptionAlone(subscriptionRecord({ applicationId: `${seller.applicationId}#x` }));
    await putSubscriptionAlone(subscriptionRecord({ applicationId: `${seller.applicationId}%23` }));
    expect(await idsOf('subscriptions.list', seller)).toEqual([]);
  });
});

describe('CSV', () => {
  test('has a header row and a row for each record, by RFC 4180', async () => {
    const seller = await newSeller();
    const { id } = await subscribed(seller, 'active');
    const { status, headers, text } = await list('finance.invoice-list', seller, {}, 'text/csv');
    const invoice = good(await details(seller, id)).subscription.invoices[0];
    const lines = text.split('\r\n');
    expect([status, headers['content-type'], headers.vary, headers.link]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
      'accept',
      undefined,
    ]);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^id,number,status,/);
    expect(lines[1]?.startsWith(`${invoice._id},${invoice.number},paid,`)).toBe(true);
    expect(lines[1]).toContain(',EUR,9.99,0.00,');
  });

  test('leads to the next page by a link, with the filters of the first', async () => {
    const seller = await newSeller();
    await populate(seller, 5, ['active', 'past_due'] as never);
    const query = { limit: '3', status: 'active,past_due' };
    const { headers } = await list('subscriptions.list', seller, query, 'text/csv');
    const [, url = '', rel] = /^<([^>]+)>; (.*)$/.exec(headers.link ?? '') ?? [];
    expect(rel).toBe('rel="next"');
    const next = Object.fromEntries(new URL(url).searchParams);
    expect(next).toMatchObject(query);
    const { text, headers: last } = await list('subscriptions.list', seller, next, 'text/csv');
    expect([text.trimEnd().split('\r\n').length, last.link]).toEqual([3, undefined]);
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t1', '\r1'])(
    'puts an apostrophe before %j, which a spreadsheet would run',
    async (name) => {
      const seller = await newSeller();
      await putPayment(paymentRecord(seller, { payer: { name }, reference: `${name}"x",y` }));
      const { text } = await list('finance.payment-list', seller, {}, 'text/csv');
      expect(text).toContain(`'${name}`);
      expect(text).toContain(`"'${name}""x"",y"`);
    },
  );

  test('shows no control characters and direction overrides of an id, which can have any', async () => {
    const seller = await newSeller();
    await putPayment(paymentRecord(seller, { sourceId: 'a\0b\u001b[31m\u202ec\u0085' }));
    const { text } = await list('finance.payment-list', seller, {}, 'text/csv');
    expect(text).toContain(',a\ufffdb\ufffd[31m\ufffdc\ufffd,');
  });

  test('quotes commas, quotes and line breaks', async () => {
    const seller = await newSeller();
    await newClient(seller, { name: 'Ann "A", Ltd' });
    const { text } = await list('finance.client-list', seller, {}, 'text/csv');
    expect(text).toContain(',"Ann ""A"", Ltd",');
    expect(text.startsWith('externalId,')).toBe(true);
  });

  test.each([
    ['JPY', 1_000, '1000'],
    ['KWD', 1_000, '1.000'],
    ['EUR', 5, '0.05'],
  ])('writes an amount in %s with its decimals', async (currency, amountMinor, shown) => {
    const seller = await newSeller();
    const allocations = [{ invoiceId: 'inv_1', n: 1, number: 'INV-1', subscriptionId: 'sub_1', amountMinor }];
    await putPayment(paymentRecord(seller, { currency, amountMinor, allocations }));
    const { text } = await list('finance.payment-list', seller, {}, 'text/csv');
    expect(text).toContain(`,${shown},${currency},${shown},`);
  });

  test('is returned to a caller who prefers it, and JSON to all others', async () => {
    const seller = await newSeller();
    const typeOf = async (accept: string) =>
      (await list('finance.client-list', seller, {}, accept)).headers['content-type']?.split(';', 1)[0];
    expect(await typeOf('text/csv')).toBe('text/csv');
    expect(await typeOf('text/csv, application/json;q=0.9')).toBe('text/csv');
    expect(await typeOf('*/*')).toBe('application/json');
    expect(await typeOf('text/html')).toBe('application/json');
  });
});
