/** The journal of an application in each of its formats. */
import { entry } from '../../../../functions/ledger/entry.ts';
import { journalWrites } from '../../../../functions/ledger/journal-store.ts';
import { transactWrite } from '../../../../functions/shared/table/table.ts';
import { call, germanSeller, germanTax, good, newSeller, type Tenant } from '../../../support/call.ts';
import { datev } from '../../../support/journal/datev.ts';
import { balancesOf, complaintOf, hasHledger } from '../../../support/journal/hledger.ts';
import { journalPages } from '../../../support/journal/pages.ts';
import { refund, reportOf, settlement } from '../../../support/payments/payments.ts';

const journal = (tenant: Tenant, query: Record<string, string> = {}, accept = 'application/json') =>
  call('journal.list', { headers: { ...tenant.headers, accept }, query });

const today = () => new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);

/** An invoice of 11.90 EUR with 1.90 EUR of tax, paid, of which 2.38 EUR are refunded. */
async function sold(settings: object = {}) {
  const tenant = await newSeller('sandbox', { seller: germanSeller, tax: germanTax, ...settings });
  const { externalId } = await tenant.subscribedTo({ price: 11.9 });
  const [invoice] = good(await call('invoices.list', { headers: tenant.headers, query: {} })).invoices;
  const report = await reportOf(tenant, externalId);
  expect(await settlement.recordPayment(report)).toBe('applied');
  await refund(report, 238);
  return {
    tenant,
    externalId,
    subscriptionId: invoice.subscriptionId as string,
    number: invoice.number as string,
  };
}

describe('JSON', () => {
  test('has every movement of money, with its invoice, its tax and its client, newest first', async () => {
    const { tenant, externalId, subscriptionId, number } = await sold();
    const { records } = good(await journal(tenant));
    const owed = (amount: number) => ({ account: 'receivable', amount, invoice: number });
    const vat = (amount: number) => ({ account: 'tax', amount, country: 'DE', percent: 19 });
    expect(records.flatMap((record: { entries: object[] }) => record.entries)).toMatchObject([
      { kind: 'refund', postings: [{ account: 'gateway', amount: -2.38 }, owed(2.38)] },
      { kind: 'credit_note', postings: [owed(-2.38), { account: 'revenue', amount: 2 }, vat(0.38)] },
      { kind: 'payment', postings: [{ account: 'gateway', amount: 11.9 }, owed(-11.9)] },
      { kind: 'invoice', postings: [owed(11.9), { account: 'revenue', amount: -10 }, vat(-1.9)] },
    ]);
    for (const record of records) expect(record).toMatchObject({ externalId, subscriptionId, day: today() });
    const sale = { kind: 'standard', country: 'DE', percent: 19, oss: false };
    expect(
      records.map(({ entries }: { entries: { sale?: object }[] }) => entries.map((one) => one.sale)),
    ).toEqual(expect.arrayContaining([expect.arrayContaining([sale])]));
  });

  test('is of one application', async () => {
    await sold();
    expect(good(await journal(await newSeller()))).toEqual({ records: [] });
  });
});

test('CSV has a row for each posting, which add up to 0', async () => {
  const { tenant } = await sold();
  const { body, headers } = await journal(tenant, {}, 'text/csv');
  expect(headers['content-type']).toMatch('text/csv');
  const [names = [], ...rows] = String(body)
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  const sumOf = (name: string) => rows.reduce((sum, row) => sum + Number(row[names.indexOf(name)]), 0);
  expect(rows).toHaveLength(10);
  expect(sumOf('debit')).toBeCloseTo(sumOf('credit'), 9);
  const taxed = ['account', 'taxKind', 'taxCountry', 'taxRate'].map((name) => names.indexOf(name));
  expect(
    new Set(
      rows.map((row) =>
        taxed
          .map((at) => row[at])
          .join(' ')
          .trim(),
      ),
    ),
  ).toEqual(new Set(['gateway', 'receivable', 'revenue standard DE 19', 'tax standard DE 19']));
});

describe.runIf(hasHledger)('hledger', () => {
  test('accepts the journal, with the balances of the documents, in one page and in several', async () => {
    const { tenant } = await sold();
    const expected = {
      'assets:gateway EUR': '9.52',
      'income:revenue EUR': '-8.00',
      'liabilities:tax:DE 19% EUR': '-1.52',
    };
    for (const limit of ['100', '1']) {
      const pages = await journalPages(tenant, { format: 'hledger', limit });
      const all = pages.join('\n');
      expect(complaintOf(all)).toBe('');
      expect(balancesOf(all)).toEqual(expected);
    }
  });

  test('accepts a client with an id that its format would end at', async () => {
    const { tenant } = await sold();
    const externalId = 'a  b; c:d, (e)\u00A0=1';
    const planId = await tenant.newPlan({ price: 5 });
    good(
      await call('clients.upsert', {
        headers: tenant.headers,
        body: { externalId, name: 'x', email: 'x@example.com' },
      }),
    );
    good(await tenant.subscribe({ body: { externalId, planId } }));
    const report = await reportOf(tenant, externalId);
    await settlement.recordPayment({ ...report, amountMinor: 700 });
    const [page = ''] = await journalPages(tenant, { format: 'hledger' });
    expect(complaintOf(page)).toBe('');
    expect(balancesOf(page)).toMatchObject({
      [`liabilities:credit:${encodeURIComponent(externalId)} EUR`]: '-2.00',
    });
  });
});

describe('DATEV', () => {
  const day = today();
  const query = { format: 'datev', from: day, to: day };

  /** The parameters for which a request is refused. */
  async function refusedFor(tenant: Tenant, query: Record<string, string>): Promise<string[]> {
    const { status, body } = await journal(tenant, query);
    expect(status).toBe(400);
    return Object.keys(body.details);
  }

  test('has rows of 125 columns, each of which moves an amount from one account to another', async () => {
    const { tenant, number } = await sold({ datev });
    const { body } = await journal(tenant, query);
    const [header = '', , ...rows] = String(body).trimEnd().slice(1).split('\r\n');
    const compact = day.replaceAll('-', '');
    expect(header).toMatch(/^"EXTF";700;21;"Buchungsstapel";13;\d{17};;"";"";"";29098;55003;/);
    expect(header.split(';').slice(12, 22)).toEqual([
      `${day.slice(0, 4)}0101`,
      '4',
      compact,
      compact,
      '"Journal"',
      '""',
      '1',
      '0',
      '0',
      '"EUR"',
    ]);
    expect(header.split(';')).toHaveLength(31);
    const cells = rows.map((row) => row.split(';'));
    for (const row of cells) expect(row).toHaveLength(125);
    const date = `${day.slice(8)}${day.slice(5, 7)}`;
    const shown = cells.map((row) => [0, 1, 2, 6, 7, 9, 10].map((at) => row[at]));
    const row = (amount: string, debit: string, credit: string) => [
      amount,
      '"S"',
      '"EUR"',
      debit,
      credit,
      date,
      `"${number}"`,
    ];
    expect(shown).toEqual([
      row('2,38', '10000', '1460'),
      row('2,00', '4401', '10000'),
      row('0,38', '3806', '10000'),
      row('11,90', '1460', '10000'),
      row('10,00', '10000', '4401'),
      row('1,90', '10000', '3806'),
    ]);
  });

  test('is in Windows-1252 for a caller who accepts bytes, and in UTF-8 with a byte order mark for others', async () => {
    const tenant = await newSeller('none', { datev });
    const paid = entry('payment', { currency: 'EUR', paymentId: 'pay_1' }, [
      { account: 'bank', amountMinor: 100 },
      { account: 'unallocated', amountMinor: -100 },
    ]);
    const record = { externalId: 'käufer €, łódź, Győr, 界', numbers: {}, entries: [paid] };
    await transactWrite(journalWrites(tenant.applicationId, record, Date.now()));
    const bytes = await journal(tenant, query, 'Text/CSV;q=0.9, */*');
    expect(bytes.headers['content-type']).toBe('text/csv; charset=windows-1252; header=present');
    const text = new TextDecoder('windows-1252').decode(Buffer.from(bytes.text, 'base64'));
    expect(text).toMatch(/;Gegenkonto \(ohne BU-Schlüssel\);/);
    expect(text).toContain('"payment käufer €, ?ódz, Gyor, ?"');
    const others = await journal(tenant, query, '*/*, text/csv');
    expect(others.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    // The times of creation differ.
    const [, ...lines] = text.split('\r\n');
    const [first = '', ...same] = others.text.split('\r\n');
    expect(first.startsWith('\uFEFF"EXTF"')).toBe(true);
    expect(same).toEqual(lines);
  });

  test('has the name that DATEV imports, and as many records as fit', async () => {
    const tenant = await newSeller('none', { datev });
    const { applicationId } = tenant;
    const paid = entry('payment', { currency: 'EUR', paymentId: 'pay_1' }, [
      { account: 'bank', amountMinor: 100 },
      { account: 'unallocated', amountMinor: -100 },
    ]);
    for (let hundred = 0; hundred < 2; hundred += 1)
      await transactWrite(
        Array.from({ length: 60 }, () =>
          journalWrites(applicationId, { numbers: {}, entries: [paid] }, Date.now()),
        ).flat(),
      );
    const { body, headers } = await journal(tenant, query);
    expect(headers['content-disposition']).toBe(
      `attachment; filename="EXTF_Buchungsstapel_${day}_${day}.csv"`,
    );
    expect(headers.link).toBeUndefined();
    expect(String(body).trimEnd().split('\r\n')).toHaveLength(122);
    expect(await journalPages(tenant, { ...query, limit: '50' })).toHaveLength(3);
    expect(good(await journal(tenant)).records).toHaveLength(100);
  });

  test('names what is missing: the setting, or days of one fiscal year', async () => {
    const { tenant } = await sold();
    expect(await refusedFor(tenant, query)).toEqual(['format']);
    const mapped = await newSeller('none', { datev: { ...datev, fiscalYearStart: '07-01' } });
    expect(await refusedFor(mapped, { format: 'datev' })).toEqual(['from']);
    expect(await refusedFor(mapped, { format: 'datev', from: day })).toEqual(['to']);
    const over = { format: 'datev', from: '2026-06-30', to: '2026-07-01' };
    expect(await refusedFor(mapped, over)).toEqual(['to']);
    good(await journal(mapped, { format: 'datev', from: '2026-07-01', to: '2027-06-30' }));
  });
});

test('days are those of the time zone of the application', async () => {
  // One of them has another day than UTC.
  const isMorning = new Date().getUTCHours() < 12;
  const timeZone = isMorning ? 'Etc/GMT+12' : 'Pacific/Kiritimati';
  const { tenant } = await sold({ timeZone });
  const [record] = good(await journal(tenant)).records;
  const there = new Date(Date.parse(record.bookedAt) + (isMorning ? -12 : 14) * 3_600_000)
    .toISOString()
    .slice(0, 10);
  expect(record.day).toBe(there);
  expect(good(await journal(tenant, { from: there, to: there })).records).not.toHaveLength(0);
  const before = new Date(Date.parse(there) - 86_400_000).toISOString().slice(0, 10);
  expect(good(await journal(tenant, { to: before })).records).toHaveLength(0);
  const after = new Date(Date.parse(there) + 86_400_000).toISOString().slice(0, 10);
  expect(good(await journal(tenant, { from: after })).records).toHaveLength(0);
});
