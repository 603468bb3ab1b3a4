import fc from 'fast-check';
import {
  credit,
  creditAfter,
  creditedMinor,
  entry,
  movesCredit,
  postedMinor,
  receivable,
  release,
  sales,
  transfer,
} from '../../../../functions/ledger/entry.ts';

const inEur = { currency: 'EUR' };

describe('an entry', () => {
  test.each([
    ['1 is missing', [1, -2]],
    ['there is one posting', [5]],
    ['an amount is a fraction', [0.5, -0.5]],
    ['an amount is larger than a number holds exactly', [2 ** 53, -(2 ** 53)]],
    ['an amount is not a number', [Number.NaN, 1]],
  ])('is refused when %s', (_, amounts) => {
    const postings = amounts.map((amountMinor) => ({ account: 'bank', amountMinor }) as const);
    expect(() => entry('payment', inEur, postings)).toThrow('The postings of a payment do not add up to 0');
  });

  test('has the postings that add up to 0, without those of 0', () => {
    const postings = [
      { account: 'bank', amountMinor: 30 },
      { ...receivable(2), amountMinor: -20 },
      { ...credit, amountMinor: -10 },
    ] as const;
    expect(
      entry('payment', { currency: 'EUR', paymentId: 'pay_1' }, [...postings, { ...sales, amountMinor: 0 }]),
    ).toEqual({
      kind: 'payment',
      currency: 'EUR',
      paymentId: 'pay_1',
      postings,
    });
    expect(entry('invoice', { currency: 'EUR', paymentId: undefined }, [])).toEqual({
      kind: 'invoice',
      currency: 'EUR',
      postings: [],
    });
  });

  test('of a transfer debits one account and credits the other', () => {
    expect(
      transfer('write_off', inEur, { from: receivable(1), to: { account: 'write_off' }, amountMinor: 7 }),
    ).toEqual({
      kind: 'write_off',
      currency: 'EUR',
      postings: [
        { account: 'write_off', amountMinor: 7 },
        { account: 'receivable', n: 1, amountMinor: -7 },
      ],
    });
    expect(release({ n: 3, ...inEur }, 4)).toEqual({
      kind: 'release',
      currency: 'EUR',
      postings: [
        { account: 'receivable', n: 3, amountMinor: 4 },
        { account: 'credit', amountMinor: -4 },
      ],
    });
  });
});

describe('the credit of a client', () => {
  const gives = (amountMinor: number, currency = 'EUR') => release({ n: 1, currency }, amountMinor);

  test('is the sum of the entries on it, by currency', () => {
    const entries = [gives(5), gives(-2), gives(9, 'USD')];
    expect([creditedMinor(entries, 'EUR'), creditedMinor(entries, 'USD')]).toEqual([3, 9]);
    expect(Object.is(creditedMinor([], 'EUR'), 0)).toBe(true);
    expect(
      postedMinor(entries, 'EUR', ({ account }, { kind }) => account === 'receivable' && kind === 'release'),
    ).toBe(3);
    const after = creditAfter({ EUR: 10, SEK: 1 }, entries);
    expect(after).toEqual({ EUR: 13, SEK: 1, USD: 9 });
    expect(creditAfter({ EUR: 3 }, [gives(-3)])).toEqual({ EUR: 0 });
    expect(creditAfter({}, [gives(2), gives(-2)])).toEqual({});
  });

  test('is moved by an entry on it, and by no other', () => {
    const writesOff = transfer('write_off', inEur, {
      from: receivable(1),
      to: { account: 'write_off' },
      amountMinor: 7,
    });
    expect([gives(1), writesOff].map(movesCredit)).toEqual([true, false]);
  });

  test('is the same in one step and in several', () => {
    const amounts = fc.array(fc.integer({ min: -1_000, max: 1_000 }));
    fc.assert(
      fc.property(amounts, amounts, (first, second) => {
        const [before, after] = [first, second].map((some) => some.map((amountMinor) => gives(amountMinor)));
        const inSteps = creditAfter(creditAfter({ EUR: 50 }, before ?? []), after ?? []);
        expect(creditAfter({ EUR: 50 }, [...(before ?? []), ...(after ?? [])])).toEqual(inSteps);
      }),
    );
  });
});
