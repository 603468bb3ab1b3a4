/** The lists of finance: what is on a page, whose it is, and what happens to it while records change. */

import { defined } from '../../../../../functions/shared/contract/defined.ts';
import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { listedStore } from '../../../../../functions/shared/lists/listed-store.ts';
import { dayMs, isoTime } from '../../../../../functions/shared/runtime/clock.ts';
import type { Status } from '../../../../../functions/subscriptions/record/subscription.ts';
import {
  bearer,
  call,
  good,
  newOperatorKey,
  newSeller,
  type Tenant,
  updateItem,
} from '../../../../support/call.ts';
import {
  paymentRecord,
  putClient,
  putCreditNote,
  putInvoice,
  putPayment,
  putSubscriptionAlone,
} from '../../../../support/lists/population.ts';
import {
  creditNoteRecord,
  invoiceRecord,
  subscriptionRecord,
} from '../../../../support/subscriptions/records.ts';

type ListRoute =
  | 'subscriptions.list'
  | 'invoices.list'
  | 'invoices.credit-note-list'
  | 'clients.list'
  | 'payments.list';
const nameOf = {
  'subscriptions.list': 'subscriptions',
  'invoices.list': 'invoices',
  'invoices.credit-note-list': 'creditNotes',
  'clients.list': 'clients',
  'payments.list': 'payments',
} as const;
const routes = Object.keys(nameOf) as ListRoute[];

const list = (
  route: ListRoute,
  seller: Tenant,
  query: Record<string, string> = {},
  accept = 'application/json',
) => call(route, { headers: { ...seller.headers, accept }, query });

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
  statuses: readonly Status[] = ['active', 'cancelled', 'past_due'],
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
    const { id, externalId } = await seller.subscribed('pending');
    const invoice = good(await seller.details(id)).subscription.invoices[0]._id;
    expect(await idsOf('subscriptions.list', seller, { status: 'pending' })).toEqual([id]);
    expect(await idsOf('invoices.list', seller, { status: 'open' })).toEqual([invoice]);
    expect(await idsOf('clients.list', seller)).toEqual([externalId]);
    good(await seller.act('activate', id));
    expect(await idsOf('subscriptions.list', seller, { status: 'pending' })).toEqual([]);
    expect(await idsOf('subscriptions.list', seller, { status: 'active' })).toEqual([id]);
    expect(await idsOf('invoices.list', seller, { status: 'open' })).toEqual([]);
    expect(await idsOf('invoices.list', seller, { status: 'paid' })).toEqual([invoice]);
    good(await seller.act('cancel', id));
    expect(await idsOf('subscriptions.list', seller, { status: 'active,pending' })).toEqual([]);
    expect(await idsOf('subscriptions.list', seller)).toEqual([id]);
  });

  test('shows each record as its own endpoint does', async () => {
    const seller = await newSeller();
    const { id } = await seller.subscribed('active');
    const {
      invoices,
      timeline: _,
      revision: __,
      ...subscription
    } = good(await seller.details(id)).subscription;
    expect(good(await list('subscriptions.list', seller)).subscriptions).toEqual([subscription]);
    expect(good(await list('invoices.list', seller)).invoices[0]).toMatchObject(invoices[0]);
  });
});

describe('the pages of a list', () => {
  test('have no gap and no repeat, newest first, and a cursor only when more follow', async () => {
    const seller = await newSeller();
    const made = await populate(seller, 30);
    for (const limit of ['7', '29', '30']) {
      const ids = await allIds('subscriptions.list', seller, { limit });
      expect(ids).toEqual(made.map(({ subscriptionId }) => subscriptionId).toReversed());
    }
    expect(good(await list('subscriptions.list', seller, { limit: '30' }))).not.toHaveProperty('nextCursor');
  });

  test('have no gap and no repeat while every record changes its status between two pages', async () => {
    const seller = await newSeller();
    const made = await populate(seller, 20);
    const ids = await allIds('subscriptions.list', seller, { limit: '6' }, async (page) => {
      const status = page % 2 === 0 ? 'active' : 'expired';
      await Promise.all(made.map((one) => putSubscriptionAlone(subscriptionRecord({ ...one, status }))));
    });
    expect(ids).toEqual(made.map(({ subscriptionId }) => subscriptionId).toReversed());
  });

  test('that end after 5,000 records that the filter left out lead on', async () => {
    const seller = await newSeller();
    const [one] = await populate(seller, 1);
    const newerMs = Date.UTC(2026, 1, 1);
    vi.spyOn(listedStore, 'newestFirst').mockImplementationOnce(async function* () {
      for (let n = 1; n <= 5_000; n += 1)
        yield { pk: 'x', sk: 'x', list: 'x', listedAt: `${isoTime(newerMs - n)}#sub_${n}`, listed: {} };
    });
    const { planId } = subscriptionRecord().plan;
    expect(await allIds('subscriptions.list', seller, { planId })).toEqual([one?.subscriptionId]);
  });
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

  test.each([
    ['2026-11-02', '2026-11-01', 400],
    ['2026-11-03', '2026-11-01', 400],
    ['2026-11-02T00:00:00Z', '2026-11-01', 400],
    ['2026-11-01T23:59:59.999Z', '2026-11-01', 200],
    ['2026-11-01T00:00:00.001Z', '2026-11-01T00:00:00Z', 400],
    ['2026-11-01', '2026-11-01T00:00:00Z', 200],
  ])('take the period from %s to %s only when it ends after it begins', async (from, to, status) => {
    const answer = await list('subscriptions.list', await newSeller(), { from, to });
    expect([answer.status, answer.body.details?.from]).toEqual([
      status,
      status === 400 ? 'must not be after `to`' : undefined,
    ]);
  });

  test.each(['', 'open,unknown'])('refuse %j as a status', async (status) => {
    const answer = await list('invoices.list', await newSeller(), { status });
    expect([answer.status, Object.keys(answer.body.details)]).toEqual([400, ['status']]);
  });

  test('find overdue invoices: open, and past their due date', async () => {
    const seller = await newSeller();
    const subscription = subscriptionRecord({ applicationId: seller.applicationId });
    const past = Date.now() - dayMs;
    const overdue = invoiceRecord(subscription, 1, { dueAtMs: past });
    await putInvoice(overdue);
    await putInvoice(invoiceRecord(subscription, 2, { dueAtMs: past, status: 'paid' }));
    await putInvoice(invoiceRecord(subscription, 3));
    expect(await idsOf('invoices.list', seller, { overdue: 'true' })).toEqual([overdue.invoiceId]);
    expect(await idsOf('invoices.list', seller, { overdue: 'true', status: 'paid' })).toEqual([]);
    const { status } = await list('invoices.list', seller, { overdue: 'false' });
    expect(status).toBe(400);
  });

  test('find payments that wait for a decision, and those of a client', async () => {
    const seller = await newSeller();
    const waiting = paymentRecord(seller, { status: 'unapplied', allocations: [], externalId: 'ann' });
    const half = paymentRecord(seller, { status: 'unapplied', allocations: [], returnedMinor: 400 });
    const done = paymentRecord(seller, { status: 'applied', externalId: 'ann' });
    await Promise.all([waiting, half, done].map(putPayment));
    const found = async (query: Record<string, string>) =>
      (await idsOf('payments.list', seller, query)).toSorted();
    const ids = (...payments: { paymentId: string }[]) =>
      payments.map(({ paymentId }) => paymentId).toSorted();
    expect(await found({ unapplied: 'true' })).toEqual(ids(waiting, half));
    expect(await found({ status: 'unapplied' })).toEqual(ids(waiting, half));
    expect(await found({ externalId: 'ann' })).toEqual(ids(waiting, done));
    expect(await found({ status: 'applied,returned' })).toEqual(ids(done));
    expect(await found({})).toEqual(ids(waiting, half, done));
  });
});

describe.each(routes)('whose list it is: %s', (route) => {
  const name = nameOf[route];
  let seller: Tenant;
  beforeAll(async () => {
    seller = await newSeller();
    await Promise.all([seller.subscribed(), seller.subscribed()]);
    const { applicationId } = seller;
    await Promise.all(
      [1, 2].flatMap(() => [
        putPayment(paymentRecord(seller)),
        putCreditNote(creditNoteRecord(invoiceRecord(subscriptionRecord({ applicationId }), 1), 1)),
      ]),
    );
  });

  test('shows an application nothing of another, whatever the cursor', async () => {
    const stranger = await newSeller();
    const own = good(await list(route, seller, { limit: '1' }));
    expect(own[name]).toHaveLength(1);
    expect(good(await list(route, stranger))).toEqual({ [name]: [] });
    expect((await list(route, stranger, { limit: '1', cursor: own.nextCursor })).status).toBe(400);
  });

  test('shows an operator the list of the application that they name', async () => {
    const headers = { ...bearer(await newOperatorKey()), 'x-application-id': seller.applicationId };
    expect(good(await call(route, { headers }))[name]).toHaveLength(2);
    expect((await call(route, { headers: bearer(seller.clientSecret) })).status).toBe(401);
  });

  test('a cursor continues under the filters of its page, and is refused under others', async () => {
    const { nextCursor: cursor } = good(await list(route, seller, { limit: '1' }));
    expect(good(await list(route, seller, { limit: '1', cursor }))[name]).toHaveLength(1);
    const { status, body } = await list(route, seller, { limit: '1', cursor, from: '2020-01-01' });
    expect([status, Object.keys(body.details)]).toEqual([400, ['cursor']]);
  });
});

test('an application whose id is the beginning of another has a list of its own', async () => {
  const seller = await newSeller();
  await putSubscriptionAlone(subscriptionRecord({ applicationId: `${seller.applicationId}#x` }));
  await putSubscriptionAlone(subscriptionRecord({ applicationId: `${seller.applicationId}%23` }));
  expect(await idsOf('subscriptions.list', seller)).toEqual([]);
});

describe('CSV', () => {
  test('has a header row and a row for each record, by RFC 4180', async () => {
    const seller = await newSeller();
    const { id } = await seller.subscribed('active');
    const { status, headers, text } = await list('invoices.list', seller, {}, 'text/csv');
    const invoice = good(await seller.details(id)).subscription.invoices[0];
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
    expect(lines[1]).toContain(',EUR,9.99,9.99,0.00,0.00,0.00,0.00,0.00,0.00,');
  });

  test('leads to the next page by a link, with the filters of the first', async () => {
    const seller = await newSeller();
    await populate(seller, 5, ['active', 'past_due']);
    const query = { limit: '3', status: 'active,past_due' };
    const { headers } = await list('subscriptions.list', seller, query, 'text/csv');
    const [, url = '', rel] = /^<([^>]+)>; (.*)$/.exec(headers.link ?? '') ?? [];
    expect(rel).toBe('rel="next"');
    const next = Object.fromEntries(new URL(url).searchParams);
    expect(next).toMatchObject(query);
    const { text, headers: last } = await list('subscriptions.list', seller, next, 'text/csv');
    expect([text.trimEnd().split('\r\n').length, last.link]).toEqual([3, undefined]);
  });

  test('has the credit and the debt of a client as numbers, a row for each currency', async () => {
    const seller = await newSeller();
    const { applicationId } = seller;
    const at = Date.parse('2026-03-01T00:00:00Z');
    await putClient(applicationId, 'none', at);
    await putClient(applicationId, 'owes', at + 1);
    await updateItem(keys.client(applicationId, 'owes'), {
      UpdateExpression: 'SET credit = :credit',
      ExpressionAttributeValues: { ':credit': { EUR: -1_000, JPY: 500 } },
    });
    const { text } = await list('clients.list', seller, {}, 'text/csv');
    const rows = text.split('\r\n').map((row) =>
      row
        .split(',')
        .filter((_, i) => [0, 3, 4].includes(i))
        .join(),
    );
    expect(rows.toSorted()).toEqual([
      '',
      'externalId,credit,currency',
      'none,,',
      'owes,-10.00,EUR',
      'owes,500,JPY',
    ]);
  });

  test('puts an apostrophe before a formula, which a spreadsheet would run', async () => {
    const seller = await newSeller();
    const names = ['=1+1', '+1', '-1', '@SUM(A1)', '\t1', '\r1'];
    const put = (name: string) =>
      putPayment(paymentRecord(seller, { payer: { name }, reference: `${name}"x",y` }));
    await Promise.all(names.map(put));
    const { text } = await list('payments.list', seller, {}, 'text/csv');
    for (const name of names) {
      expect(text).toContain(`'${name}`);
      expect(text).toContain(`"'${name}""x"",y"`);
    }
  });

  test('shows no control characters and direction overrides of an id, which can have any', async () => {
    const seller = await newSeller();
    await putPayment(paymentRecord(seller, { sourceId: 'a\0b\u001b[31m\u202ec\u0085' }));
    const { text } = await list('payments.list', seller, {}, 'text/csv');
    expect(text).toContain(',a\ufffdb\ufffd[31m\ufffdc\ufffd,');
  });
});
