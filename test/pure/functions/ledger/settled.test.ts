import { credit, type EntryKind, entry, receivable, transfer } from '../../../../functions/ledger/entry.ts';
import {
  reopened,
  type Settled,
  settledAfter,
  settledMinor,
  sumOfKind,
  takenFromCredit,
} from '../../../../functions/ledger/settled.ts';

const inEur = { currency: 'EUR' };

/** An entry that credits the receivable of an invoice. */
const settles = (kind: EntryKind, n: number, amountMinor: number) =>
  transfer(kind, inEur, { from: receivable(n), to: { account: 'bank' }, amountMinor });

/** The sum that an entry of each kind moves when it credits the receivable with 7. */
const moved: Readonly<Record<EntryKind, Settled | undefined>> = {
  invoice: undefined,
  pay_out: undefined,
  payment: { paidMinor: 7 },
  allocation: { paidMinor: 7 },
  refund: { refundedMinor: -7 },
  refund_failed: { paidMinor: 7 },
  dispute: { paidMinor: 7 },
  dispute_won: { paidMinor: 7 },
  reversal: { paidMinor: 7 },
  credit: { fromCreditMinor: 7 },
  credit_note: { creditNotedMinor: 7 },
  cancellation: { cancelledMinor: 7 },
  bad_debt: { badDebtMinor: 7 },
  write_off: { writtenOffMinor: 7 },
  release: { releasedMinor: -7 },
  carry_over: { carriedMinor: -7 },
};

const kinds = Object.keys(sumOfKind).filter((kind): kind is EntryKind => kind in sumOfKind);

describe('the sums of an invoice', () => {
  test.each(kinds)('after a %s', (kind) => {
    expect(settledAfter(undefined, 2, [settles(kind, 2, 7)])).toEqual(moved[kind]);
    expect(settledAfter(undefined, 1, [settles(kind, 2, 7)])).toBeUndefined();
    // A debit undoes a credit, and a sum of 0 is absent.
    expect(settledAfter(undefined, 2, [settles(kind, 2, 7), settles(kind, 2, -7)])).toBeUndefined();
    const before = { paidMinor: 1, fromCreditMinor: 1 };
    expect(settledAfter(before, 2, [settles(kind, 2, -7), settles(kind, 2, 7)])).toEqual(before);
    expect(settledMinor(moved[kind])).toBe(sumOfKind[kind] === undefined ? 0 : 7);
  });

  test('add up over the postings of several entries, and leave the former sums as they were', () => {
    const before = Object.freeze({ paidMinor: 5, writtenOffMinor: 2 });
    const booked = entry('payment', inEur, [
      { account: 'bank', amountMinor: 30 },
      { ...receivable(1), amountMinor: -20 },
      { ...receivable(2), amountMinor: -9 },
      { ...credit, amountMinor: -1 },
    ]);
    expect(settledAfter(before, 1, [booked, settles('write_off', 1, -2)])).toEqual({ paidMinor: 25 });
    expect(settledAfter(before, 3, [booked])).toEqual(before);
  });

  test('have no refund any more that failed', () => {
    const failed = settles('refund_failed', 1, 6);
    expect(settledAfter({ paidMinor: 9, refundedMinor: 6 }, 1, [failed])).toEqual({ paidMinor: 9 });
    expect(settledAfter({ paidMinor: 9, refundedMinor: 4 }, 1, [failed])).toEqual({ paidMinor: 11 });
  });

  test('settle its total, less what was released and what it asks for beside its total', () => {
    expect(settledMinor()).toBe(0);
    const raising = { paidMinor: 1, fromCreditMinor: 10, creditNotedMinor: 100, cancelledMinor: 1_000 };
    expect(settledMinor({ ...raising, writtenOffMinor: 10_000 })).toBe(11_111);
    expect(settledMinor({ ...raising, releasedMinor: 3, carriedMinor: 8, refundedMinor: 1 })).toBe(1_099);
  });
});

test('a closed invoice that is owed again is owed what was cancelled and written off', () => {
  const settled = { paidMinor: 5, cancelledMinor: 70, writtenOffMinor: 25 };
  const entries = reopened({ n: 4, ...inEur, settled });
  expect(entries.map(({ kind }) => kind)).toEqual(['cancellation', 'write_off']);
  expect(settledAfter(settled, 4, entries)).toEqual({ paidMinor: 5 });
  expect(reopened({ n: 4, ...inEur, settled: { writtenOffMinor: 1 } })).toEqual([
    transfer('write_off', inEur, { from: { account: 'write_off' }, to: receivable(4), amountMinor: 1 }),
  ]);
  expect(reopened({ n: 4, ...inEur })).toEqual([]);
});

describe('an invoice whose money was refunded', () => {
  const settledAgain = (settled: Settled | undefined, dueMinor: number) =>
    settledAfter(settled, 1, takenFromCredit({ n: 1, ...inEur, settled }, dueMinor));

  test('takes back what it gave to the credit of the client, and then the debt that it asked for', () => {
    expect(settledAgain({ releasedMinor: 40 }, 30)).toEqual({ releasedMinor: 10 });
    expect(settledAgain({ releasedMinor: 40, carriedMinor: 5 }, 45)).toBeUndefined();
    expect(settledAgain({ carriedMinor: 300 }, 300)).toBeUndefined();
    expect(settledAgain({ paidMinor: 1 }, 0)).toEqual({ paidMinor: 1 });
  });
});
