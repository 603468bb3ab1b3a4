import fc from 'fast-check';
import type { Claims } from '../../../../functions/ledger/claims.ts';
import { credit, type Entry, entry, receivable, transfer } from '../../../../functions/ledger/entry.ts';
import {
  type Allocation,
  gapOf,
  type HeldMoney,
  unappliedMinor,
} from '../../../../functions/ledger/payment.ts';
import { heldAfter } from '../../../../functions/ledger/payment-change.ts';

const of = { paymentId: 'pay_1', currency: 'EUR' };
const nothing: HeldMoney = {
  allocations: [],
  creditedMinor: 0,
  returnedMinor: 0,
  refundedMinor: 0,
  disputedMinor: 0,
};
const invoiceOf = (n: number) => ({
  invoiceId: `inv_${n}`,
  number: `INV-${n}`,
  externalId: 'user-1',
  subscriptionId: 'sub_1',
});
const owner = { externalId: 'user-1', subscriptionId: 'sub_1' };
/** Without the credit by client, which is that of the owner. */
function withoutCredits({ credits = [], ...held }: HeldMoney): HeldMoney {
  const { creditedMinor: amountMinor } = held;
  expect(credits).toEqual(amountMinor === 0 ? [] : [{ ...owner, amountMinor }]);
  return held;
}
const allocated = (n: number, amountMinor: number): Allocation => ({ ...invoiceOf(n), n, amountMinor });
const heldSince = (held: Partial<HeldMoney>, ...entries: Entry[]) =>
  withoutCredits(heldAfter({ ...nothing, ...held, paymentId: 'pay_1', ...owner }, entries, invoiceOf, owner));

/** An entry of a payment of which `parts` moves to invoices, `toCredit` to the credit and the rest of it from an account. */
const moving = (
  kind: Entry['kind'],
  from: 'bank' | 'gateway' | 'unallocated',
  {
    parts = [],
    toCredit = 0,
  }: { parts?: readonly (readonly [n: number, amountMinor: number])[]; toCredit?: number },
) =>
  entry(kind, of, [
    { account: from, amountMinor: parts.reduce((sum, [, amountMinor]) => sum + amountMinor, toCredit) },
    ...parts.map(([n, amountMinor]) => ({ ...receivable(n), amountMinor: -amountMinor })),
    { ...credit, amountMinor: -toCredit },
  ]);

describe('where the money of a payment is', () => {
  const held = { allocations: [allocated(1, 60), allocated(2, 30)], creditedMinor: 10 };

  test('after it arrives', () => {
    const parts = [
      [1, 60],
      [2, 30],
    ] as const;
    expect(heldSince({}, moving('payment', 'bank', { parts, toCredit: 10 }))).toEqual({
      ...nothing,
      ...held,
    });
    expect(
      heldSince(
        {},
        transfer('payment', of, {
          from: { account: 'unallocated' },
          to: { account: 'bank' },
          amountMinor: 9,
        }),
      ),
    ).toEqual(nothing);
  });

  test.each<[Entry['kind'], 'bank' | 'gateway', Partial<HeldMoney>]>([
    ['refund', 'gateway', { refundedMinor: 25 }],
    ['dispute', 'gateway', { disputedMinor: 25 }],
    ['reversal', 'bank', { disputedMinor: 25 }],
    ['pay_out', 'bank', { returnedMinor: 25 }],
  ])('after a %s', (kind, account, gone) => {
    const taken = moving(kind, account, { parts: [[2, -20]], toCredit: -5 });
    const left = { allocations: [allocated(1, 60), allocated(2, 10)], creditedMinor: 5 };
    expect(heldSince(held, taken)).toEqual({ ...nothing, ...left, ...gone });
    const whole = moving(kind, account, { parts: [[2, -30]] });
    expect(heldSince(held, whole).allocations).toEqual([allocated(1, 60)]);
  });

  test.each<[Entry['kind'], keyof HeldMoney]>([
    ['refund_failed', 'refundedMinor'],
    ['dispute_won', 'disputedMinor'],
  ])('after a %s', (kind, gone) => {
    const back = moving(kind, 'gateway', { parts: [[3, 20]], toCredit: 5 });
    expect(heldSince({ [gone]: 30 }, back)).toEqual({
      ...nothing,
      [gone]: 5,
      allocations: [allocated(3, 20)],
      creditedMinor: 5,
    });
  });

  test('is owed by a client until that much comes back as their credit', () => {
    const credits = [{ ...owner, amountMinor: 0, owedMinor: 30 }];
    const creditsSince = (...entries: Entry[]) =>
      heldAfter({ ...nothing, credits, paymentId: 'pay_1' }, entries, invoiceOf, owner).credits;
    const toCredit = (kind: Entry['kind'], minor: number) => moving(kind, 'gateway', { toCredit: minor });
    const back = toCredit('dispute_won', 20);
    expect(creditsSince(back)).toEqual([{ ...owner, amountMinor: 20, owedMinor: 10 }]);
    expect(creditsSince(back, toCredit('dispute', -20))).toEqual([
      { ...owner, amountMinor: 0, owedMinor: 10 },
    ]);
    expect(creditsSince(back, toCredit('refund_failed', 15))).toEqual([{ ...owner, amountMinor: 35 }]);
    const applied = moving('allocation', 'unallocated', { toCredit: 40 });
    expect(creditsSince(applied)).toEqual([{ ...owner, amountMinor: 40, owedMinor: 30 }]);
  });

  test('is as before after entries of other payments and of none', () => {
    const others = [
      transfer(
        'payment',
        { ...of, paymentId: 'pay_2' },
        { from: receivable(1), to: { account: 'bank' }, amountMinor: 7 },
      ),
      transfer('credit', { currency: 'EUR' }, { from: receivable(1), to: credit, amountMinor: 7 }),
    ];
    expect(heldSince(held, ...others)).toEqual({ ...nothing, ...held });
  });

  test('is with the n-th invoice of its own subscription', () => {
    const other = { ...allocated(1, 4), subscriptionId: 'sub_2' };
    const paid = heldSince(
      { allocations: [other] },
      moving('allocation', 'unallocated', { parts: [[1, 6]] }),
    );
    expect(paid.allocations).toEqual([other, allocated(1, 6)]);
  });
});

describe('the next movement of a payment of 100', () => {
  const dispute = (amountMinor?: number): Claims => ({
    disputes: { dp_1: amountMinor === undefined ? { atMs: 1 } : { amountMinor, atMs: 1 } },
  });
  const refund = (totalMinor: number): Claims => ({ refunds: { totalMinor, atMs: 1 } });
  const recall = (amountMinor: number): Claims => ({
    reversals: { stated: { amountMinor, atMs: 1 }, entries: {} },
  });

  test.each<[string, Partial<HeldMoney>, Claims | undefined, ReturnType<typeof gapOf>]>([
    ['without claims', {}, undefined, undefined],
    ['that is disputed', {}, dispute(), { kind: 'dispute', amountMinor: 100 }],
    ['that is disputed, and was taken', { disputedMinor: 100 }, dispute(), undefined],
    ['of which a part is disputed', {}, dispute(40), { kind: 'dispute', amountMinor: 40 }],
    [
      'of which a larger part is disputed',
      { disputedMinor: 40 },
      dispute(70),
      { kind: 'dispute', amountMinor: 30 },
    ],
    [
      'of which a smaller part is disputed',
      { disputedMinor: 70 },
      dispute(40),
      { kind: 'dispute_won', amountMinor: 30 },
    ],
    ['whose dispute was won', { disputedMinor: 100 }, {}, { kind: 'dispute_won', amountMinor: 100 }],
    ['that is refunded', {}, refund(60), { kind: 'refund', amountMinor: 60 }],
    ['that is refunded once more', { refundedMinor: 60 }, refund(90), { kind: 'refund', amountMinor: 30 }],
    ['whose refund failed', { refundedMinor: 60 }, refund(0), { kind: 'refund_failed', amountMinor: 60 }],
    ['that was returned, and is disputed', { returnedMinor: 100 }, dispute(), undefined],
    [
      'of which a part was returned, and the whole is refunded',
      { returnedMinor: 30 },
      refund(100),
      { kind: 'refund', amountMinor: 70 },
    ],
    [
      'that was refunded, and is disputed',
      { refundedMinor: 100 },
      { ...refund(100), ...dispute() },
      undefined,
    ],
    [
      'of which a part was refunded, and the whole is disputed',
      { refundedMinor: 40 },
      { ...refund(40), ...dispute() },
      { kind: 'dispute', amountMinor: 60 },
    ],
    [
      'that is disputed, and refunded since',
      { disputedMinor: 100 },
      { ...refund(100), ...dispute() },
      { kind: 'dispute_won', amountMinor: 100 },
    ],
    [
      'that was refunded while it was disputed, and whose dispute was won',
      { disputedMinor: 100 },
      refund(100),
      { kind: 'dispute_won', amountMinor: 100 },
    ],
    [
      'of which a part was returned, and whose bank takes back the whole transfer',
      { returnedMinor: 30 },
      recall(100),
      { kind: 'dispute', amountMinor: 100 },
    ],
    ['that was returned and taken back', { returnedMinor: 100, disputedMinor: 100 }, recall(100), undefined],
  ])('%s', (_, held, claims, expected) => {
    const payment = { ...nothing, ...held, amountMinor: 100 };
    expect(gapOf(claims === undefined ? payment : { ...payment, claims })).toEqual(expected);
  });

  test('comes to an end: it holds what its claims leave it, and never less than nothing', () => {
    const amounts = fc.integer({ min: 0, max: 100 });
    fc.assert(
      fc.property(
        amounts,
        amounts,
        amounts,
        amounts,
        amounts,
        (returned, refunded, disputed, toRefund, toDispute) => {
          const returnedMinor = returned;
          const refundedMinor = Math.min(refunded, 100 - returnedMinor);
          const disputedMinor = Math.min(disputed, 100 - returnedMinor - refundedMinor);
          let payment = { ...nothing, returnedMinor, refundedMinor, disputedMinor, amountMinor: 100 };
          const claims = { ...refund(toRefund), ...dispute(toDispute) };
          for (let moves = 0; ; moves += 1) {
            const gap = gapOf({ ...payment, claims });
            if (gap === undefined) break;
            expect(moves).toBeLessThan(4);
            expect(gap.amountMinor).toBeGreaterThan(0);
            const { kind, amountMinor } = gap;
            const name = kind === 'refund' || kind === 'refund_failed' ? 'refundedMinor' : 'disputedMinor';
            const sign = kind === 'refund' || kind === 'dispute' ? 1 : -1;
            payment = { ...payment, [name]: payment[name] + sign * amountMinor };
            expect(unappliedMinor(payment)).toBeGreaterThanOrEqual(0);
          }
          const takenMinor = payment.refundedMinor + payment.disputedMinor;
          expect(takenMinor).toBe(Math.min(100 - returnedMinor, toRefund + toDispute));
        },
      ),
    );
  });
});
