/** The text of the journal for other programs, which only its own test reads where they are not installed. */
import type { BookedRecord } from '../../../../functions/journal/booked-record.ts';
import { postingColumns, postingRows } from '../../../../functions/journal/columns.ts';
import { type DatevSettings, toDatev, toDatevRows } from '../../../../functions/journal/datev.ts';
import { toHledger, toTransactions } from '../../../../functions/journal/hledger.ts';
import { toRecordResponse } from '../../../../functions/journal/schemas.ts';
import {
  type Entry,
  entry,
  type Posting,
  receivable,
  type Sale,
} from '../../../../functions/ledger/entry.ts';
import { fittingRecords, maxPageBytes, PageSize } from '../../../../functions/shared/lambda/response-size.ts';
import { toCsv } from '../../../../functions/shared/lists/csv.ts';
import { datev } from '../../../support/journal/datev.ts';

const settings: DatevSettings = {
  ...datev,
  rates: [
    { country: 'FR', kind: 'reverse_charge', revenue: '4336' },
    { country: 'US', kind: 'none', revenue: '4338' },
    { country: 'FR', percent: 0, revenue: '4125', tax: '3801' },
    { country: 'FR', revenue: '4331', tax: '3817' },
    { country: 'DE', kind: 'standard', percent: 19, revenue: '4401', tax: '3806' },
  ],
};

const atMs = Date.UTC(2026, 9, 31, 23, 30);
const record = (entries: readonly Entry[], externalId?: string): BookedRecord => ({
  journalId: 'jrn_1',
  bookedAtMs: atMs,
  day: '2026-11-01',
  externalId,
  subscriptionId: externalId && 'sub_1',
  numbers: { 1: 'INV-1', 2: 'INV-2' },
  entries,
});

const EUR = { currency: 'EUR' };
const ofPayment = { currency: 'EUR', paymentId: 'pay_1' };
const sold = (sale: Sale | undefined, taxMinor = 0, currency = 'EUR'): Entry => {
  const tax: Posting[] =
    sale?.kind === 'standard'
      ? [{ account: 'tax', country: sale.country, percent: sale.percent, amountMinor: -taxMinor }]
      : [];
  const owed = { ...receivable(1), amountMinor: 1_000 + taxMinor };
  const one = entry('invoice', { currency }, [owed, { account: 'revenue', amountMinor: -1_000 }, ...tax]);
  return Object.assign({}, one, sale && { sale });
};
const german: Sale = { kind: 'standard', country: 'DE', percent: 19 };

/** A life of two invoices: money waits before its client is known, and pays both of them. */
const life = [
  record([sold(german, 190)], 'Müller; & Söhne'),
  record([
    entry('payment', ofPayment, [
      { account: 'bank', amountMinor: 2_000 },
      { account: 'unallocated', amountMinor: -2_000 },
    ]),
  ]),
  record(
    [
      entry('allocation', ofPayment, [
        { account: 'unallocated', amountMinor: 2_000 },
        { ...receivable(1), amountMinor: -1_190 },
        { ...receivable(2), amountMinor: -800 },
        { account: 'credit', amountMinor: -10 },
      ]),
      entry('write_off', EUR, [
        { account: 'write_off', amountMinor: 50 },
        { ...receivable(2), amountMinor: -50 },
      ]),
      sold({ kind: 'none', country: 'JP' }, 0, 'JPY'),
    ],
    'Müller; & Söhne',
  ),
];

const batch = { from: '2026-11-01', to: '2026-11-30', createdAtMs: atMs };
const batchOf = (records: readonly BookedRecord[]) =>
  toDatev(
    records.map((one) => toDatevRows(one, settings)),
    batch,
    settings,
  );
/** Some columns, counted from 1 as DATEV does, of the rows of a batch. */
const columns = (text: string, ...numbers: number[]) =>
  text
    .trimEnd()
    .split('\r\n')
    .slice(2)
    .map((row) => numbers.map((number) => row.split(';')[number - 1]));

test('the text for hledger', async () => {
  const transactions = life.map((one) => toTransactions(toRecordResponse(one)));
  await expect(toHledger(transactions)).toMatchFileSnapshot('november.journal.txt');
});

test.each<[string, (one: BookedRecord) => unknown, (all: readonly BookedRecord[]) => string]>([
  [
    'CSV',
    (one) => postingRows(toRecordResponse(one)),
    (all) => toCsv(postingColumns, all.map(toRecordResponse).flatMap(postingRows)),
  ],
  [
    'hledger',
    (one) => toTransactions(toRecordResponse(one)),
    (all) => toHledger(all.map((one) => toTransactions(toRecordResponse(one)))),
  ],
  ['DATEV', (one) => toDatevRows(one, settings), batchOf],
])('a page of the longest texts fits into a result of Lambda: %s', (_, toResponse, write) => {
  const longest = record(Array(10).fill(life[2]?.entries).flat(), '界'.repeat(128));
  const page = fittingRecords(Array(4_000).fill(toResponse(longest)), new PageSize());
  const result = JSON.stringify({ body: write(Array(page.length).fill(longest)) });
  expect(page.length).toBeGreaterThan(50);
  expect(Buffer.byteLength(result)).toBeLessThan(maxPageBytes);
});

describe('DATEV', () => {
  test('the text', async () => {
    await expect(batchOf(life)).toMatchFileSnapshot('EXTF_Buchungsstapel.csv.txt');
  });

  test.each<[string, Sale | undefined, string]>([
    ['to a French business, who owes the tax', { kind: 'reverse_charge', country: 'FR' }, '4336'],
    ['to a French consumer at 0 %', { kind: 'standard', country: 'FR', percent: 0 }, '4125'],
    ['to a French consumer at 20 %', { kind: 'standard', country: 'FR', percent: 20 }, '4331'],
    ['to a country without a rate', { kind: 'none', country: 'US' }, '4338'],
    ['to a business of a country that no row names', { kind: 'reverse_charge', country: 'DE' }, '4000'],
    ['to an unknown country', undefined, '4000'],
  ])('books a sale %s on its own account', (_, sale, account) => {
    expect(columns(batchOf([record([sold(sale)])]), 8)).toEqual([[account]]);
  });

  test('names the invoice of each row, so that its open item is cleared', () => {
    expect(columns(batchOf(life.slice(2)), 1, 7, 8, 11)).toEqual([
      ['11,90', '1490', '10000', '"INV-1"'],
      ['8,00', '1490', '10000', '"INV-2"'],
      ['0,10', '1490', '3300', '""'],
      ['0,50', '6930', '10000', '"INV-2"'],
    ]);
  });

  test('leaves out other currencies, and counts them in the name of the batch', () => {
    const text = batchOf([record([sold(german, 190), sold(german, 190, 'JPY'), sold(german, 190, 'USD')])]);
    expect(text.split(';')[16]).toBe('"Journal, 2 not in EUR"');
    expect(columns(text, 1, 3)).toEqual([
      ['10,00', '"EUR"'],
      ['1,90', '"EUR"'],
    ]);
  });
});
