/** One day for all: that of the seller, in lists, reports and the journal. Times in the API are in UTC. */
import {
  call,
  germanSeller,
  germanTax,
  good,
  newSeller,
  onTestClock,
  type Tenant,
} from '../../../support/call.ts';
import { paymentRecord, putPayment } from '../../../support/lists/population.ts';

onTestClock();

const april = { from: '2027-04-01', to: '2027-04-30' };
const may = { from: '2027-05-01', to: '2027-05-31' };

const ask = async (tenant: Tenant, route: string, query: Record<string, string> = {}) =>
  good(await call(route, { headers: tenant.headers, query }));

test.each([
  ['Europe/Berlin', '2027-04-30T23:30:00.000Z'],
  ['America/New_York', '2027-05-01T04:30:00.000Z'],
  ['UTC', '2027-05-01T00:30:00.000Z'],
])(
  'an invoice of the night of 1 May in %s is of May in every list and report',
  async (timeZone, issuedAt) => {
    vi.setSystemTime(Date.parse(issuedAt));
    const tenant = await newSeller('sandbox', { seller: germanSeller, tax: germanTax, timeZone });
    await tenant.subscribedTo({ price: 11.9 });
    const valueAtMs = Date.parse('2027-05-01');
    await putPayment(paymentRecord(tenant, { source: 'bank', valueAtMs, recordedAtMs: Date.now() }));
    vi.setSystemTime(Date.parse('2027-06-02T00:00:00Z'));
    const lists = {
      'invoices.list': 'invoices',
      'subscriptions.list': 'subscriptions',
      'clients.list': 'clients',
      'payments.list': 'payments',
      'journal.list': 'records',
    };
    for (const [route, name] of Object.entries(lists)) {
      expect([route, (await ask(tenant, route, april))[name]]).toEqual([route, []]);
      expect([route, (await ask(tenant, route, may))[name].length]).toEqual([route, 1]);
    }
    expect((await ask(tenant, 'invoices.list')).invoices[0].issuedAt).toBe(issuedAt);
    const { report: tax } = await ask(tenant, 'reports.tax-read', may);
    expect(tax.rows).toMatchObject([{ gross: 11.9 }]);
    const { report } = await ask(tenant, 'reports.revenue-read', may);
    expect(report.currencies).toMatchObject([{ invoiced: 11.9, received: 9.99 }]);
    expect(report).toMatchObject({ from: tax.from, to: tax.to });
    const { report: before } = await ask(tenant, 'reports.revenue-read', april);
    expect(
      before.currencies.filter(
        (one: { invoiced: number; received: number }) => one.invoiced + one.received > 0,
      ),
    ).toEqual([]);
  },
);

test('money that a gateway moved at 00:00 UTC is of the day of that moment, and that of a bank of the stated day', async () => {
  const tenant = await newSeller('sandbox', { timeZone: 'America/New_York' });
  const valueAtMs = Date.parse('2027-05-01');
  for (const [source, amountMinor] of [
    ['bank', 100],
    ['stripe', 2_000],
  ] as const)
    await putPayment(paymentRecord(tenant, { source, amountMinor, valueAtMs, recordedAtMs: valueAtMs }));
  vi.setSystemTime(Date.parse('2027-06-02T00:00:00Z'));
  expect((await ask(tenant, 'reports.revenue-read', april)).report.currencies).toMatchObject([
    { received: 20 },
  ]);
  expect((await ask(tenant, 'reports.revenue-read', may)).report.currencies).toMatchObject([{ received: 1 }]);
});

test('the month so far, of a report without a period, is that of the seller', async () => {
  vi.setSystemTime(Date.parse('2027-04-30T23:30:00Z'));
  const tenant = await newSeller('sandbox', { timeZone: 'Europe/Berlin' });
  for (const route of ['reports.revenue-read', 'reports.tax-read'])
    expect((await ask(tenant, route)).report.from).toBe('2027-04-30T22:00:00.000Z');
});
