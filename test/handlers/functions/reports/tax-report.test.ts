/** The tax report: what is booked of sales, by country, kind and rate, in the days of the seller. */
import { entry, type Posting, type Sale } from '../../../../functions/ledger/entry.ts';
import { journalWrites } from '../../../../functions/ledger/journal-store.ts';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { transactWrite } from '../../../../functions/shared/table/table.ts';
import { call, germanSeller, good, newSeller, onTestClock, type Tenant } from '../../../support/call.ts';
import { reportOf as paymentOf, refund, settlement } from '../../../support/payments/payments.ts';

onTestClock();

const tax = {
  rates: [
    { country: 'DE', percent: 19 },
    { country: 'FR', percent: 20 },
  ],
  pricesInclude: 'exclusive',
  reverseCharge: true,
};

const ask = (tenant: Tenant, query: Record<string, string> = {}, accept = 'application/json') =>
  call('reports.tax-read', { headers: { ...tenant.headers, accept }, query });
const report = async (...args: Parameters<typeof ask>) => {
  // The period ends before the millisecond of the request.
  vi.setSystemTime(Date.now() + 1);
  return good(await ask(...args)).report;
};

/** A subscription of 10.00 EUR without tax, with its invoice, of a new client in a country. */
async function sold(tenant: Tenant, country: string | undefined, vatId?: string): Promise<string> {
  const address = country && { line1: 'Street 1', city: 'City', country };
  const externalId = await tenant.newClient(defined({ address, vatId }));
  const planId = await tenant.newPlan({ price: 10 });
  good(await tenant.subscribe({ body: { externalId, planId } }));
  return externalId;
}

describe('the tax report', () => {
  test('has invoices less credit notes, by country, kind and rate, and marks those of the One Stop Shop', async () => {
    const tenant = await newSeller('sandbox', { seller: germanSeller, tax });
    await sold(tenant, 'DE');
    const refunded = await sold(tenant, 'DE');
    await sold(tenant, 'FR');
    await sold(tenant, 'FR');
    await sold(tenant, 'FR', 'FR83404833048');
    await sold(tenant, 'NO');
    await sold(tenant, undefined);
    const other = await newSeller('sandbox', { seller: germanSeller, tax });
    await sold(other, 'FR');
    const payment = await paymentOf(tenant, refunded);
    expect(await settlement.recordPayment(payment)).toBe('applied');
    await refund(payment, 595);
    const { rows } = await report(tenant);
    expect(rows).toEqual([
      {
        country: 'DE',
        kind: 'standard',
        percent: 19,
        oss: false,
        badDebt: false,
        currency: 'EUR',
        net: 25,
        tax: 4.75,
        gross: 29.75,
      },
      {
        country: 'FR',
        kind: 'reverse_charge',
        oss: false,
        badDebt: false,
        currency: 'EUR',
        net: 10,
        tax: 0,
        gross: 10,
      },
      {
        country: 'FR',
        kind: 'standard',
        percent: 20,
        oss: true,
        badDebt: false,
        currency: 'EUR',
        net: 20,
        tax: 4,
        gross: 24,
      },
      {
        country: 'NO',
        kind: 'none',
        oss: false,
        badDebt: false,
        currency: 'EUR',
        net: 10,
        tax: 0,
        gross: 10,
      },
    ]);
    expect((await report(other)).rows).toMatchObject([{ country: 'FR', tax: 2 }]);
  });

  test('leaves out an invoice that became void', async () => {
    const tenant = await newSeller('none', { seller: germanSeller, tax });
    const externalId = await tenant.newClient();
    const body = { externalId, planId: await tenant.newPlan({ price: 10 }) };
    const { subscription } = good(await tenant.subscribe({ body }));
    expect((await report(tenant)).rows).toMatchObject([{ gross: 11.9 }]);
    const params = { id: subscription._id };
    good(await call('subscriptions.cancel', { headers: tenant.headers, params, body: {} }));
    expect((await report(tenant)).rows).toEqual([]);
  });

  test('states the tax in the national currency where the seller gave a rate', async () => {
    const national = {
      nationalCurrency: 'USD',
      exchangeRates: [{ currency: 'EUR', rate: 1.1, source: 'ECB, 20 November 2026' }],
    };
    const tenant = await newSeller('none', { seller: germanSeller, tax: { ...tax, ...national } });
    await sold(tenant, 'DE');
    expect((await report(tenant)).rows).toMatchObject([
      { tax: 1.9, nationalTax: { currency: 'USD', tax: 2.09 } },
    ]);
    const { text, headers } = await ask(tenant, {}, 'text/csv');
    expect(headers['content-type']).toContain('text/csv');
    expect(text.split('\r\n')).toEqual([
      'country,kind,percent,oss,badDebt,currency,net,tax,gross,nationalCurrency,nationalTax',
      'DE,standard,19,false,false,EUR,10.00,1.90,11.90,USD,2.09',
      '',
    ]);
  });
});

describe('the period of a tax report', () => {
  const nowMs = Date.parse('2026-11-24T12:00:00Z');
  beforeEach(() => {
    vi.setSystemTime(nowMs);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Books a sale of one euro at a time. */
  async function book({ applicationId }: Tenant, time: string, sale: Sale = { kind: 'none', country: 'DE' }) {
    const postings: Posting[] = [
      { account: 'receivable', n: 1, amountMinor: 100 },
      { account: 'revenue', amountMinor: -100 },
    ];
    const entries = [Object.assign(entry('invoice', { currency: 'EUR' }, postings), { sale })];
    await transactWrite(journalWrites(applicationId, { numbers: {}, entries }, Date.parse(time)));
  }

  test.each([
    [
      'October',
      { from: '2026-10-01', to: '2026-10-31' },
      'Europe/Berlin',
      '2026-09-30T22:00',
      '2026-10-31T23:00',
    ],
    [
      'the day of 25 hours',
      { from: '2026-10-25', to: '2026-10-25' },
      'Europe/Berlin',
      '2026-10-24T22:00',
      '2026-10-25T23:00',
    ],
    [
      'the day of 23 hours',
      { from: '2026-03-29', to: '2026-03-29' },
      'Europe/Berlin',
      '2026-03-28T23:00',
      '2026-03-29T22:00',
    ],
    [
      'the third quarter',
      { from: '2026-07-01', to: '2026-09-30' },
      'America/New_York',
      '2026-07-01T04:00',
      '2026-10-01T04:00',
    ],
    [
      'times with an offset',
      { from: '2026-10-01T00:00+09:00', to: '2026-10-02T00:00Z' },
      'Europe/Berlin',
      '2026-09-30T15:00',
      '2026-10-02T00:00',
    ],
    [
      'October without a time zone',
      { from: '2026-10-01', to: '2026-10-31' },
      undefined,
      '2026-10-01T00:00',
      '2026-11-01T00:00',
    ],
  ])('%s has its moments and no others', async (_name, query, timeZone, from, to) => {
    const tenant = await newSeller('none', defined({ timeZone }));
    const start = Date.parse(`${from}Z`);
    const end = Date.parse(`${to}Z`);
    for (const ms of [start - 1, start, end - 1, end]) await book(tenant, new Date(ms).toISOString());
    expect(await report(tenant, query)).toMatchObject({
      from: new Date(start).toISOString(),
      to: new Date(end).toISOString(),
      timeZone: timeZone ?? 'UTC',
      rows: [{ gross: 2 }],
    });
  });

  test('is the present month of the seller by default, up to now', async () => {
    vi.setSystemTime(Date.parse('2026-10-31T23:30:00Z'));
    const tenant = await newSeller('none', { timeZone: 'Europe/Berlin' });
    await book(tenant, '2026-10-31T22:59:59.999Z');
    await book(tenant, '2026-10-31T23:00:00.000Z');
    expect(await report(tenant)).toMatchObject({
      from: '2026-10-31T23:00:00.000Z',
      to: '2026-10-31T23:30:00.001Z',
      rows: [{ gross: 1 }],
    });
  });

  test('can be without sales', async () => {
    const tenant = await newSeller();
    expect((await report(tenant, { from: '2020-01-01', to: '2020-01-31' })).rows).toEqual([]);
  });

  test.each<[string, Record<string, string>]>([
    ['from', { from: '2099-01-01' }],
    ['from', { from: '2026-02-01', to: '2026-01-01' }],
    ['from', { from: '2026-02-31' }],
    ['to', { to: 'yesterday' }],
  ])('is refused for %s of %j', async (name, query) => {
    const { status, body } = await ask(await newSeller(), query);
    expect([status, Object.keys(body.details)]).toEqual([400, [name]]);
  });
});
