import fc from 'fast-check';
import { type TaxedInvoice, withTaxPostings } from '../../../../functions/invoices/revenue-postings.ts';
import { type Entry, receivable, sales, transfer } from '../../../../functions/ledger/entry.ts';
import { settledAfter } from '../../../../functions/ledger/settled.ts';
import { defined } from '../../../../functions/shared/contract/defined.ts';

const inEur = { currency: 'EUR' };
const vat = { name: 'VAT', country: 'FI', percent: 25.5, taxableMinor: 796, taxMinor: 203 };
const parties = { seller: { legal: { address: { country: 'FI' } } }, customer: {} };
const taxed: TaxedInvoice = { n: 1, totalMinor: 999, taxes: [vat], ...parties };
const issued = (amountMinor = 999) =>
  transfer('invoice', inEur, { from: sales, to: receivable(1), amountMinor });
const undone = (kind: 'credit_note' | 'cancellation', amountMinor: number) =>
  transfer(kind, inEur, { from: receivable(1), to: sales, amountMinor });

/** The sum of the postings of an account. */
const sumOf = (entries: readonly Entry[], account: string) =>
  entries
    .flatMap(({ postings }) => postings)
    .filter((posting) => posting.account === account)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);

test('the sales of an invoice are revenue and tax', () => {
  expect(withTaxPostings([issued()], [taxed])).toEqual([
    {
      ...issued(),
      postings: [
        { account: 'receivable', n: 1, amountMinor: 999 },
        { account: 'revenue', amountMinor: -796 },
        { account: 'tax', country: 'FI', percent: 25.5, amountMinor: -203 },
      ],
      sale: { kind: 'standard', country: 'FI', percent: 25.5 },
    },
  ]);
});

describe('the sale of an entry', () => {
  const { taxes: _, ...untaxed } = taxed;
  const national = { currency: 'USD', taxMinor: 223, rate: 1.1, source: 'ECB' };
  const soldTo = (country: string, vatId?: string) => ({
    seller: { legal: { address: { country: 'DE' } } },
    customer: { address: { country }, ...defined({ vatId }) },
  });
  const standard = { kind: 'standard', country: 'FI', percent: 25.5 };
  test.each<[string, Partial<TaxedInvoice>, object | undefined]>([
    ['of a consumer of another member state', { ...taxed, ...soldTo('FI') }, { ...standard, oss: true }],
    ['of a business there', { ...taxed, ...soldTo('FI', 'FI12345671') }, standard],
    ['at home', { ...taxed, ...parties }, standard],
    [
      'by a seller outside of the union',
      { ...taxed, seller: { legal: { address: { country: 'US' } } } },
      { ...standard, oss: true },
    ],
    [
      'outside of the union',
      { ...taxed, taxes: [{ ...vat, country: 'NO' }], ...soldTo('NO') },
      { ...standard, country: 'NO' },
    ],
    [
      'at a rate of 0',
      { taxes: [{ ...vat, percent: 0, taxableMinor: 999, taxMinor: 0 }], ...soldTo('FI') },
      { ...standard, percent: 0 },
    ],
    [
      'with tax in the national currency',
      { ...taxed, nationalTax: national },
      { ...standard, national: { currency: 'USD', amountMinor: -223 } },
    ],
    [
      'with reverse charge',
      { ...soldTo('FI', 'FI12345671'), reverseCharge: true },
      { kind: 'reverse_charge', country: 'FI' },
    ],
    ['without a rate', soldTo('FI'), { kind: 'none', country: 'FI' }],
    ['without a country of the customer', {}, { kind: 'none', country: 'FI' }],
    ['without any country', { seller: {} }, undefined],
  ])('%s', (_name, invoice, sale) => {
    const [entry] = withTaxPostings([issued()], [{ ...untaxed, ...invoice }]);
    expect(entry?.sale).toEqual(sale);
  });

  test('has the opposite tax in the national currency when it is undone in parts', () => {
    const invoice = { ...taxed, nationalTax: national };
    const parts = [333, 333, 333].map((amountMinor) =>
      transfer('credit_note', inEur, { from: receivable(1), to: sales, amountMinor }),
    );
    const amounts = withTaxPostings([issued(), ...parts], [invoice]).map(
      ({ sale }) => sale?.kind === 'standard' && sale.national?.amountMinor,
    );
    expect(amounts).toEqual([-223, 74, 75, 74]);
  });
});

test('the sales of an invoice without tax are revenue, also at a rate of 0', () => {
  const { taxes: _, ...untaxed } = taxed;
  const exempt = { ...taxed, taxes: [{ ...vat, percent: 0, taxMinor: 0 }] };
  for (const invoice of [untaxed, exempt])
    expect(withTaxPostings([issued()], [invoice])[0]?.postings).toEqual([
      { account: 'receivable', n: 1, amountMinor: 999 },
      { account: 'revenue', amountMinor: -999 },
    ]);
});

test('an entry without sales, and one of an invoice that is not known, stay as they are', () => {
  const payment = transfer('payment', inEur, {
    from: receivable(1),
    to: { account: 'bank' },
    amountMinor: 999,
  });
  expect(withTaxPostings([payment], [taxed])).toEqual([payment]);
  expect(withTaxPostings([issued()], [{ ...taxed, n: 2 }])).toEqual([issued()]);
});

test('a credit note after others has the tax of the sum, less that of the sum before', () => {
  const creditNoted = { ...taxed, settled: { creditNotedMinor: 500, cancelledMinor: 100 } };
  const [divided] = withTaxPostings([undone('credit_note', 1)], [creditNoted]);
  // 203 of 999: 121.9 of 600, and 122.1 of 601.
  expect(divided?.postings).toEqual([
    { account: 'receivable', n: 1, amountMinor: -1 },
    { account: 'revenue', amountMinor: 1 },
  ]);
  const [first] = withTaxPostings([undone('credit_note', 3)], [taxed]);
  expect(sumOf(first === undefined ? [] : [first], 'tax')).toBe(1);
});

test('what is credited in parts, within a change or over several, has the tax of the whole in all', () => {
  const parts = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 6 });
  const taxes = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(parts, taxes, fc.boolean(), (some, taxMinors, isCancelledLast) => {
      const totalMinor = some.reduce((sum, amountMinor) => sum + amountMinor, 0) + 300 * taxMinors.length;
      const invoice: TaxedInvoice = {
        ...parties,
        n: 1,
        totalMinor,
        taxes: taxMinors.map((taxMinor, i) => ({ ...vat, percent: i + 1, taxMinor })),
      };
      const restMinor = totalMinor - some.reduce((sum, amountMinor) => sum + amountMinor, 0);
      const notes = [
        ...some.map((amountMinor) => undone('credit_note', amountMinor)),
        undone(isCancelledLast ? 'cancellation' : 'credit_note', restMinor),
      ];
      const atOnce = withTaxPostings([issued(totalMinor), ...notes], [invoice]);
      let settled: TaxedInvoice['settled'];
      const inSteps = notes.flatMap((note) => {
        const divided = withTaxPostings([note], [{ ...invoice, ...defined({ settled }) }]);
        settled = settledAfter(settled, 1, [note]);
        return divided;
      });
      const sumMinor = taxMinors.reduce((sum, taxMinor) => sum + taxMinor, 0);
      expect(sumOf(inSteps, 'tax')).toBe(sumMinor);
      expect(sumOf(inSteps, 'revenue')).toBe(totalMinor - sumMinor);
      expect(['tax', 'revenue', 'receivable'].map((account) => sumOf(atOnce, account))).toEqual([0, 0, 0]);
      expect(atOnce.slice(1)).toEqual(inSteps);
      for (const { postings } of atOnce)
        expect(postings.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(0);
    }),
  );
});
