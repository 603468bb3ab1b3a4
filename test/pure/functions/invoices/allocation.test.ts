import fc from 'fast-check';
import { allocate, isCovered } from '../../../../functions/invoices/allocation.ts';
import { dueMinor } from '../../../../functions/invoices/due.ts';

const minor = (max: number) => fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max }));
const invoice = fc.record({
  n: fc.integer({ min: 1, max: 99 }),
  totalMinor: minor(5_000),
  receivedMinor: minor(5_000),
  refundedMinor: minor(1_000),
  currency: fc.constantFrom('EUR', 'EUR', 'USD'),
});
const payments = fc.record({
  open: fc.uniqueArray(invoice, { selector: ({ n }) => n, maxLength: 5 }),
  payment: fc.record({
    amountMinor: fc.integer({ min: 1, max: 15_000 }),
    currency: fc.constant('EUR'),
    toleranceMinor: fc.constantFrom(0, 0, 1, 50),
    firstN: fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined }),
  }),
});
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

test('a payment over any invoices loses no cent, pays in order, and leaves a rest only when nothing is due', () => {
  fc.assert(
    fc.property(payments, ({ open, payment }) => {
      const { parts, paid, overpaymentMinor } = allocate(open, payment);
      expect(sum(parts.map(({ amountMinor }) => amountMinor)) + overpaymentMinor).toBe(payment.amountMinor);
      const oldestFirst = open
        .filter(({ currency }) => currency === payment.currency)
        .toSorted((a, b) => a.n - b.n);
      const named = oldestFirst.filter(({ n }) => n === payment.firstN);
      const inOrder = [...named, ...oldestFirst.filter((one) => !named.includes(one))];
      let leftMinor = payment.amountMinor;
      const expected = inOrder.map((one) => {
        const due = dueMinor(one);
        const amountMinor = Math.min(leftMinor, due);
        leftMinor -= amountMinor;
        const isPaid =
          due === amountMinor || (amountMinor > 0 && due - amountMinor <= payment.toleranceMinor);
        return { n: one.n, amountMinor, isPaid };
      });
      expect(overpaymentMinor).toBe(leftMinor);
      expect(parts).toEqual(
        expected
          .filter(({ amountMinor }) => amountMinor > 0)
          .map(({ n, amountMinor }) => ({ n, amountMinor })),
      );
      expect(paid).toEqual(expected.filter(({ isPaid }) => isPaid).map(({ n }) => n));
    }),
    { numRuns: 150 },
  );
});

test('credit covers invoices when nothing of any of them is due, and there is one', () => {
  const invoice = (n: number, fromCreditMinor: number) => ({
    n,
    totalMinor: 900,
    settled: { fromCreditMinor },
    currency: 'EUR',
  });
  expect(isCovered([])).toBe(false);
  expect(isCovered([invoice(1, 900), invoice(2, 900)])).toBe(true);
  expect(isCovered([invoice(1, 900), invoice(2, 899)])).toBe(false);
});

test('the tolerance pays no invoice that no money reaches', () => {
  const open = [1, 2].map((n) => ({ n, totalMinor: 40, currency: 'EUR' }));
  expect(allocate(open, { amountMinor: 40, currency: 'EUR', toleranceMinor: 50 }).paid).toEqual([1]);
});
