import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type TaxedInvoice, withTaxPostings } from '../../../../functions/invoices/revenue-postings.ts';
import { type Entry, receivable, sales, transfer } from '../../../../functions/ledger/entry.ts';
import { settledAfter } from '../../../../functions/ledger/settled.ts';
import { defined } from '../../../../functions/shared/contract/defined.ts';

const inEur = { currency: 'EUR' };
const vat = { name: 'VAT', country: 'FI', percent: 25.5, taxableMinor: 796, taxMinor: 203 };
const taxed: TaxedInvoice = { n: 1, totalMinor: 999, taxes: [vat] };
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
    },
  ]);
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
