/** Terms that are given up, and the tax of them: reports, journal and accounting programs. */
import { dayMs, minuteMs } from '../../../../functions/shared/runtime/clock.ts';
import {
  call,
  germanSeller,
  germanTax,
  good,
  leaveOutPdfs,
  newSeller,
  noonMs,
  onTestClock,
} from '../../../support/call.ts';
import { datev } from '../../../support/journal/datev.ts';
import { balancesOf, complaintOf, hasHledger } from '../../../support/journal/hledger.ts';
import { journalPages } from '../../../support/journal/pages.ts';
import { transfer } from '../../../support/payments/payments.ts';
import { stepsUntil } from '../../../support/subscriptions/courses.ts';
import { expectSound, type One, stored } from '../../../support/subscriptions/stored-state.ts';

onTestClock();
leaveOutPdfs();

const taxing = (tax: object = {}) => ({ seller: germanSeller, tax: { ...germanTax, ...tax }, datev });

/** A term of 119.00 that was paid. */
async function paid(settings: object = taxing()): Promise<One & { paymentId: string }> {
  const seller = await newSeller('none', { ...settings });
  const one = { seller, ...(await seller.subscribedTo({ price: 119 })) };
  const { payment } = await transfer(seller, one.id, 11_900);
  return { ...one, paymentId: payment.paymentId };
}

/** The last reminder is long past. */
const untilMs = noonMs + 60 * dayMs;

/** A renewal of 119.00 that is given up. */
async function givenUp(settings?: object): Promise<One> {
  const one = await paid(settings);
  await stepsUntil(one, untilMs);
  expect((await stored(one)).invoices).toMatchObject([{ status: 'paid' }, { status: 'uncollectible' }]);
  return one;
}

/** A granted term of 119.00 of which the bank recalls a part, and which is given up. */
async function givenUpInPart(recalled: number): Promise<One> {
  const one = await paid();
  const body = { amount: recalled, reason: 'recalled' };
  good(await call('payments.reverse', one.seller.callFor(one.paymentId, body)));
  await stepsUntil(one, untilMs);
  return one;
}

const query = { from: '2027-01-01', to: '2027-12-31' };

interface Row {
  badDebt: boolean;
  net: number;
  tax: number;
  gross: number;
}

async function taxRows({ seller }: One): Promise<[boolean, number, number, number][]> {
  // A period ends before its last millisecond does.
  vi.setSystemTime(Date.now() + minuteMs);
  const rows: Row[] = good(
    await call('reports.tax-read', { headers: seller.headers, query: { from: query.from } }),
  ).report.rows;
  return rows.map(({ badDebt, net, tax, gross }) => [badDebt, net, tax, gross]);
}

test('a renewal that is given up takes its tax out of the report, in a row of its own', async () => {
  const one = await givenUp();
  expect(await taxRows(one)).toEqual([
    [false, 200, 38, 238],
    [true, -100, -19, -119],
  ]);
  await expectSound(one.seller, one.externalId);
});

test('a debt that is paid brings its tax back, in parts too, to the cent', async () => {
  const one = await givenUpInPart(79);
  // 19.00, less the tax of the 40.00 that stay paid: 6.39.
  expect(await taxRows(one)).toEqual([
    [false, 100, 19, 119],
    [true, -66.39, -12.61, -79],
  ]);
  await transfer(one.seller, one.id, 2_633);
  expect(await taxRows(one)).toEqual([
    [false, 100, 19, 119],
    [true, -44.26, -8.41, -52.67],
  ]);
  await transfer(one.seller, one.id, 5_267);
  expect(await taxRows(one)).toEqual([[false, 100, 19, 119]]);
  expect((await stored(one)).invoices).toMatchObject([{ status: 'paid', settled: { paidMinor: 11_900 } }]);
  await expectSound(one.seller, one.externalId);
});

test('a credit note of a debt that was given up has its tax once', async () => {
  const one = await givenUpInPart(79);
  const { invoices } = await stored(one);
  const body = { amount: 20, reason: 'not usable' };
  good(await call('subscriptions.credit-invoice', one.seller.callFor(invoices[0]?.invoiceId ?? '', body)));
  const rows = await taxRows(one);
  const sum = (at: 1 | 2 | 3) => Math.round(rows.reduce((total, row) => total + row[at], 0) * 100) / 100;
  // 40.00 stay paid.
  expect([sum(1), sum(2), sum(3)]).toEqual([33.61, 6.39, 40]);
});

test('a part of a debt that the bank takes back is given up with its tax, after a credit note of the rest', async () => {
  const one = await givenUpInPart(119);
  const { payment } = await transfer(one.seller, one.id, 6_000);
  const { invoices } = await stored(one);
  const note = { amount: 59, reason: 'not usable' };
  good(await call('subscriptions.credit-invoice', one.seller.callFor(invoices[0]?.invoiceId ?? '', note)));
  good(await call('payments.reverse', one.seller.callFor(payment.paymentId, { reason: 'recalled' })));
  expect((await stored(one)).invoices).toMatchObject([
    { status: 'uncollectible', settled: { creditNotedMinor: 5_900, badDebtMinor: 6_000 } },
  ]);
  expect(await taxRows(one)).toEqual([
    [false, 50.42, 9.58, 60],
    [true, -50.42, -9.58, -60],
  ]);
  await expectSound(one.seller, one.externalId);
});

test('a seller whose law differs keeps owing the tax', async () => {
  const one = await givenUp(taxing({ badDebts: 'keep' }));
  expect(await taxRows(one)).toEqual([[false, 200, 38, 238]]);
});

test('an invoice without tax reduces the sales of its kind', async () => {
  const one = await givenUp({});
  expect(await taxRows(one)).toEqual([
    [false, 238, 0, 238],
    [true, -119, 0, -119],
  ]);
});

test('a small amount that is missing takes no tax out: a bank has deducted a fee', async () => {
  const seller = await newSeller('none', { ...taxing(), payments: { tolerance: 0.5 } });
  const one = { seller, ...(await seller.subscribedTo({ price: 119 })) };
  await transfer(seller, one.id, 11_850);
  expect(await taxRows(one)).toEqual([[false, 100, 19, 119]]);
});

test('the journal and DATEV have the net amount and the tax in rows of their own', async () => {
  const one = await givenUp();
  const { records } = good(await call('journal.list', { headers: one.seller.headers, query: {} }));
  const entries: { kind: string }[] = records.flatMap((record: { entries: object[] }) => record.entries);
  expect(entries.find(({ kind }) => kind === 'bad_debt')).toMatchObject({
    sale: { kind: 'standard', country: 'DE', percent: 19 },
    postings: [
      { account: 'receivable', amount: -119 },
      { account: 'write_off', amount: 100 },
      { account: 'tax', amount: 19, country: 'DE', percent: 19 },
    ],
  });
  const [batch = ''] = await journalPages(one.seller, { format: 'datev', ...query });
  const rows = batch
    .split('\r\n')
    .filter((line) => line.includes('bad_debt'))
    .map((line) => line.split(';'));
  expect(rows.map((cells) => [cells[0], cells[6], cells[7]])).toEqual([
    ['100,00', '6930', '10000'],
    ['19,00', '3806', '10000'],
  ]);
});

test.runIf(hasHledger)('hledger accepts it, and the account of the tax has what is owed', async () => {
  const one = await givenUp();
  const journal = (await journalPages(one.seller, { format: 'hledger' })).join('\n');
  expect(complaintOf(journal)).toBe('');
  expect(balancesOf(journal)).toMatchObject({
    'expenses:write_off EUR': '100.00',
    'income:revenue EUR': '-200.00',
    'liabilities:tax:DE 19% EUR': '-19.00',
  });
});
