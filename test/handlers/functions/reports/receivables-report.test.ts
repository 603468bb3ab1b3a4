/** The report of receivables: what clients owe, now and at a time of the past, by currency and age. */
import { reportReceivables } from '../../../../functions/reports/receivables-read.ts';
import { receivablesReadRoute } from '../../../../functions/reports/routes.ts';
import { sellerCaller } from '../../../../functions/shared/auth/bearer.ts';
import { endpoint } from '../../../../functions/shared/lambda/endpoint.ts';
import { clock, dayMs, hourMs } from '../../../../functions/shared/runtime/clock.ts';
import {
  call,
  daysLater,
  good,
  newSeller,
  noonMs,
  onTestClock,
  proxyEvent,
  read,
  registered,
  type Tenant,
} from '../../../support/call.ts';
import { csvRows } from '../../../support/journal/pages.ts';
import { putInvoice } from '../../../support/lists/population.ts';
import { dispute, newEventId, reportOf, settlement, win } from '../../../support/payments/payments.ts';
import { invoiceRecord, subscriptionRecord } from '../../../support/subscriptions/records.ts';

onTestClock();

const id = 'reports.receivables-read';
const ask = (tenant: Tenant, query: Record<string, string> = {}) =>
  call(id, { headers: tenant.headers, query });
const report = async (...args: Parameters<typeof ask>) => good(await ask(...args)).report;
const totals = async (...args: Parameters<typeof ask>) =>
  (await report(...args)).currencies.map(({ currency, total }: { currency: string; total: number }) => [
    currency,
    total,
  ]);
const later = (ms: number): string => {
  vi.setSystemTime(Date.now() + ms);
  return new Date().toISOString();
};

/** A client with an open invoice of 10.00. */
async function owing(tenant: Tenant, plan: object = {}) {
  const { externalId, id: subscriptionId } = await tenant.subscribedTo({ price: 10, ...plan });
  return { externalId, subscriptionId };
}

const none = { notDue: 0, days1To30: 0, days31To60: 0, days61To90: 0, over90: 0 };

test.each([
  ['notDue', 0],
  ['days1To30', 0.001],
  ['days1To30', 30],
  ['days31To60', 30.001],
  ['days31To60', 60],
  ['days61To90', 90],
  ['over90', 90.001],
] as const)('an invoice is %s %d days after its due date, now and later on', async (age, days) => {
  const tenant = await newSeller();
  const issuedAtMs = noonMs - 200 * dayMs;
  const own = subscriptionRecord({ applicationId: tenant.applicationId });
  const dueAtMs = noonMs - days * dayMs;
  await putInvoice(invoiceRecord(own, 1, { issuedAtMs, dueAtMs, totalMinor: 999 }));
  await putInvoice(invoiceRecord(own, 2, { issuedAtMs, dueAtMs, totalMinor: 1, status: 'paid' }));
  vi.setSystemTime(noonMs);
  const expected = [{ currency: 'EUR', ...none, [age]: 9.99, total: 9.99 }];
  expect(await report(tenant)).toMatchObject({ at: new Date(noonMs).toISOString(), currencies: expected });
  daysLater(400);
  const at = new Date(noonMs).toISOString();
  expect((await report(tenant, { at })).currencies).toEqual(expected);
  expect(await csvRows(tenant, id, { at })).toMatchObject([{ outstanding: '9.99', age }]);
});

test('each moment of the past has what was owed then: issued, paid in part, paid, disputed, won', async () => {
  const tenant = await newSeller('sandbox');
  const moments = [new Date().toISOString()];
  later(1_000);
  const { externalId } = await owing(tenant);
  moments.push(later(1_000));
  const payment = await reportOf(tenant, externalId);
  await settlement.recordPayment({ ...payment, amountMinor: 400 });
  moments.push(later(1_000));
  const rest = { ...(await reportOf(tenant, externalId)), amountMinor: 600 };
  await settlement.recordPayment(rest);
  moments.push(later(1_000));
  await settlement.recordReversal({ ...rest, ...dispute, atMs: Date.now(), eventId: newEventId() });
  moments.push(later(1_000));
  await win({ ...rest });
  later(1_000);
  const owed = await Promise.all(moments.map((at) => totals(tenant, { at })));
  expect(owed).toEqual([[], [['EUR', 10]], [['EUR', 6]], [], [['EUR', 6]]]);
  const rows = await Promise.all(moments.map((at) => csvRows(tenant, id, { at })));
  expect(rows.map((one) => one.map(({ outstanding }) => outstanding))).toEqual([
    [],
    ['10.00'],
    ['6.00'],
    [],
    ['6.00'],
  ]);
});

test('a payment of the millisecond of the report is not in it, nor is an invoice', async () => {
  const tenant = await newSeller('sandbox');
  const issuedAt = new Date().toISOString();
  const { externalId } = await owing(tenant);
  const paidAt = later(1_000);
  await settlement.recordPayment(await reportOf(tenant, externalId));
  later(1_000);
  expect(await totals(tenant, { at: issuedAt })).toEqual([]);
  expect(await totals(tenant, { at: paidAt })).toEqual([['EUR', 10]]);
});

test('currencies are apart, and other applications are not in it', async () => {
  const tenant = await newSeller();
  await owing(tenant, { currency: 'USD', price: 3 });
  await owing(tenant);
  await owing(tenant);
  await owing(await newSeller());
  expect(await totals(tenant)).toEqual([
    ['EUR', 20],
    ['USD', 3],
  ]);
});

test('a day means its end in the time zone of the application, and this day means now', async () => {
  vi.setSystemTime(Date.parse('2027-03-10T22:59:59Z'));
  const tenant = await newSeller('none', { timeZone: 'Europe/Berlin' });
  await owing(tenant);
  expect((await report(tenant, { at: '2027-03-10' })).at).toBe(new Date().toISOString());
  later(1_000);
  await owing(tenant);
  later(hourMs);
  expect(await report(tenant, { at: '2027-03-10' })).toMatchObject({
    at: '2027-03-10T23:00:00.000Z',
    currencies: [{ total: 10 }],
  });
  expect(await totals(tenant, { at: '2027-03-11' })).toEqual([['EUR', 20]]);
});

test.each(['2027-03-11', '2099-01-01', '2027-03-10T12:00:01Z', 'yesterday', '2027-02-30'])(
  'the time %s is refused',
  async (at) => {
    const tenant = await newSeller();
    vi.setSystemTime(noonMs);
    const { status, body } = await ask(tenant, { at });
    expect([status, Object.keys(body.details)]).toEqual([400, ['at']]);
  },
);

test('CSV has a row for each invoice of which something is due, in pages; totals have none', async () => {
  const tenant = await newSeller('sandbox');
  const owners = [await owing(tenant)];
  for (const _ of [2, 3]) {
    later(1);
    owners.push(await owing(tenant));
  }
  const [first] = owners;
  await settlement.recordPayment(await reportOf(tenant, first?.externalId ?? ''));
  const at = later(1_000);
  later(1_000);
  for (const query of [{ limit: '1' }, { limit: '1', at }, { at }]) {
    const rows = await csvRows(tenant, id, query);
    expect(rows.map(({ externalId }) => externalId)).toEqual(
      owners
        .slice(1)
        .map(({ externalId }) => externalId)
        .reverse(),
    );
    for (const row of rows)
      expect(row).toMatchObject({ currency: 'EUR', outstanding: '10.00', age: 'notDue', number: /^INV-/ });
  }
});

test.each([
  ['limit', '1'],
  ['cursor', 'x'],
])('the totals refuse %s', async (name, value) => {
  const { status, body } = await ask(await newSeller(), { [name]: value });
  expect([status, Object.keys(body.details)]).toEqual([400, [name]]);
});

test('a long report of the past takes several requests, and does not see what is paid meanwhile', async () => {
  const tenant = await newSeller();
  const own = subscriptionRecord({ applicationId: tenant.applicationId });
  const invoices = Array.from({ length: 25 }, (_, i) =>
    invoiceRecord(own, i + 1, { issuedAtMs: noonMs + i, dueAtMs: noonMs, totalMinor: 100 }),
  );
  await Promise.all(invoices.map(putInvoice));
  vi.setSystemTime(noonMs + dayMs);
  const handler = endpoint(
    receivablesReadRoute,
    (input: Parameters<typeof reportReceivables>[0]) => reportReceivables(input, 10),
    sellerCaller,
  );
  const request = { headers: tenant.headers, query: { at: new Date(noonMs + hourMs).toISOString() } };
  const get = async () => read(await handler(proxyEvent(registered(id), request)));
  // Time for one page only.
  let nowMs = noonMs + dayMs;
  vi.spyOn(clock, 'nowMs').mockImplementation(() => {
    nowMs += 3_000;
    return nowMs;
  });
  const statuses: number[] = [];
  for (;;) {
    const answer = await get();
    statuses.push(answer.status);
    if (answer.status === 200) {
      expect(answer.body.report.currencies).toMatchObject([{ total: 25 }]);
      break;
    }
    const [paid] = invoices;
    if (statuses.length === 1 && paid !== undefined)
      await putInvoice({
        ...paid,
        status: 'paid',
        settled: { paidMinor: 100 },
        postings: [[noonMs + dayMs, -100]],
      });
    nowMs += 30_000;
  }
  vi.restoreAllMocks();
  expect(statuses.length).toBeGreaterThan(1);
});
