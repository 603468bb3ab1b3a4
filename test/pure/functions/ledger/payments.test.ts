import fc from 'fast-check';
import { receivable, transfer } from '../../../../functions/ledger/entry.ts';
import {
  type Allocation,
  type Payment,
  paymentStatuses,
  unappliedMinor,
} from '../../../../functions/ledger/payment.ts';
import {
  changedPayment,
  movedPayment,
  type PaymentFields,
  paymentEvents,
  settledStatus,
} from '../../../../functions/ledger/payment-change.ts';
import { gatewayOf, paymentIdOf } from '../../../../functions/ledger/payment-id.ts';
import { valueAtMsOf } from '../../../../functions/payments/value-date.ts';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';

const nowMs = Date.parse('2027-03-10T12:00:00Z');

test('the id of a payment is the same for the same payment, and another for each application, source and id there', () => {
  expect(paymentIdOf('app_1', 'bank', 'e1')).toBe('pay_7RTKB101DGQ43F4Q4DGVFDNMB6');
  const ids = [
    paymentIdOf('app_1', 'bank', 'e1'),
    paymentIdOf('app_2', 'bank', 'e1'),
    paymentIdOf('app_1', 'stripe', 'e1'),
    paymentIdOf('app_1', 'bank', 'e2'),
  ];
  expect(new Set(ids).size).toBe(4);
});

test.each([
  [undefined, nowMs],
  ['2027-03-09', Date.parse('2027-03-09')],
  ['2027-03-11T12:00:00Z', nowMs + dayMs],
  ['2027-03-11T12:00:00.001Z', undefined],
  ['2000-01-01', Date.parse('2000-01-01')],
  ['1999-12-31T23:59:59.999Z', undefined],
  ['soon', undefined],
])('a value date: %s is %s', (text, expected) => {
  expect(valueAtMsOf(text, nowMs)).toBe(expected);
});

test('a payment at a gateway is one of the sandbox by its id', () => {
  expect([gatewayOf('sandbox-1'), gatewayOf('pi_sandbox-1')]).toEqual(['sandbox', 'stripe']);
});

describe('the money of a payment', () => {
  const amounts = (applied: number, creditedMinor: number, returnedMinor: number) => ({
    amountMinor: 100,
    allocations: applied === 0 ? [] : [paid(1, applied)],
    creditedMinor,
    returnedMinor,
    refundedMinor: 0,
    disputedMinor: 0,
  });
  const nothing = amounts(0, 0, 0);

  test.each([
    [40, 30, 20, 10, 'unapplied'],
    [0, 0, 0, 100, 'unapplied'],
    [70, 30, 0, 0, 'applied'],
    [0, 100, 0, 0, 'credit'],
    [0, 40, 60, 0, 'credit'],
    [0, 0, 100, 0, 'returned'],
  ])(
    '%i applied, %i credited and %i returned leave %i: %s',
    (applied, credited, returned, waiting, status) => {
      const payment = amounts(applied, credited, returned);
      expect([unappliedMinor(payment), settledStatus(payment)]).toEqual([waiting, status]);
    },
  );

  test('that pays a part of each invoice is partial', () => {
    const parts = [allocation(1, 40), allocation(2, 60)];
    expect(settledStatus({ ...nothing, allocations: parts })).toBe('partial');
    expect(settledStatus({ ...nothing, allocations: [...parts.slice(0, 1), paid(2, 60)] })).toBe('applied');
    expect(settledStatus({ ...amounts(0, 0, 5), amountMinor: 5 })).toBe('returned');
  });

  test('is refunded or disputed when its gateway has it again', () => {
    expect(settledStatus({ ...nothing, refundedMinor: 100 })).toBe('refunded');
    expect(settledStatus({ ...nothing, refundedMinor: 40, disputedMinor: 60 })).toBe('disputed');
    expect(settledStatus({ ...amounts(0, 0, 60), refundedMinor: 40 })).toBe('refunded');
    expect(settledStatus({ ...amounts(40, 0, 0), refundedMinor: 60 })).toBe('applied');
    expect(settledStatus({ ...nothing, disputedMinor: 99 })).toBe('unapplied');
  });

  test('is disputed when its bank took back what the seller had sent back', () => {
    expect(settledStatus({ ...amounts(0, -30, 30), disputedMinor: 100 })).toBe('disputed');
    expect(settledStatus({ ...amounts(0, 0, 30), disputedMinor: 100 })).toBe('disputed');
  });

  test('of nothing is applied', () => {
    expect(settledStatus({ ...nothing, amountMinor: 0 })).toBe('applied');
  });

  /** A movement of an amount: to an invoice that is paid then or not, from one, to the credit, or back to the payer. */
  type Act = { readonly to: 1 | 2 | 'credit' | 'bank'; readonly share: number; readonly isPaid: boolean };
  const acts = fc.array(
    fc.record({
      to: fc.constantFrom<Act['to']>(1, 2, 'credit', 'bank'),
      share: fc.integer({ min: -60, max: 60 }),
      isPaid: fc.boolean(),
    }),
    { maxLength: 8 },
  );
  const account = (to: Act['to']) => (to === 'credit' || to === 'bank' ? { account: to } : receivable(to));
  const afterAct = (payment: PaymentFields, { to, share, isPaid }: Act): PaymentFields => {
    const heldMinor = payment.allocations.find(({ n }) => n === to)?.amountMinor ?? 0;
    const amountMinor = typeof to === 'number' ? Math.max(share, -heldMinor) : share;
    const move = { from: account(to), to: { account: 'unallocated' }, amountMinor } as const;
    const entries = [transfer(to === 'bank' ? 'pay_out' : 'allocation', payment, move)];
    const invoiceOf = (n: number) => (isPaid ? paid(n, 0) : allocation(n, 0));
    return movedPayment(payment, {
      entries,
      invoiceOf,
      owner: { externalId: 'user-1', subscriptionId: 'sub_1' },
    });
  };

  test('has the state of its sums, whatever its state was before and whatever happened last', () => {
    fc.assert(
      fc.property(acts, fc.constantFrom(...paymentStatuses), (some, former) => {
        const after = some.reduce(afterAct, { ...recordOf(), status: former });
        const { allocations } = after;
        if (some.length > 0) expect(after.status).toBe(settledStatus(after));
        expect(settledStatus({ ...after, allocations: allocations.toReversed() })).toBe(settledStatus(after));
        for (const { n, isPaid } of allocations) {
          const own = some.filter(({ to, share }) => to === n && share !== 0);
          // It paid the invoice if the invoice was paid since its money came last.
          const since = own.slice(own.findLastIndex(({ share }) => share > 0));
          if (since[0] !== undefined && since[0].share > 0)
            expect(isPaid === true).toBe(since.every((one) => one.isPaid));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('is never used twice', () => {
    const fields = { ...recordOf(), ...amounts(60, 30, 20) };
    const tooMuch = 'More of a payment is used than it has';
    expect(() => changedPayment(undefined, fields, [], nowMs)).toThrow(tooMuch);
    // Only what a bank took beyond what the payment had is missing.
    const recalled = { ...recordOf(), returnedMinor: 30, disputedMinor: 100 };
    expect(unappliedMinor(changedPayment(undefined, recalled, [], nowMs).next)).toBe(-30);
    expect(() => changedPayment(undefined, { ...recalled, creditedMinor: 1 }, [], nowMs)).toThrow(tooMuch);
    const all = changedPayment(undefined, { ...fields, ...amounts(60, 30, 10) }, [], nowMs);
    expect(unappliedMinor(all.next)).toBe(0);
  });

  test('changes one revision at a time, with numbered events', () => {
    const { eventCount: _, revision: __, updatedAtMs: ___, ...fields } = recordOf();
    const first = changedPayment(undefined, { ...fields, reference: 'x' }, ['received', 'applied'], nowMs);
    expect(first).toMatchObject({
      previous: undefined,
      next: { revision: 1, eventCount: 2, updatedAtMs: nowMs },
    });
    const { reference: ____, ...without } = first.next;
    const second = changedPayment(first.next, without, ['refunded'], nowMs + 1);
    expect(second.next).toMatchObject({ revision: 2, eventCount: 3, updatedAtMs: nowMs + 1 });
    expect('reference' in second.next).toBe(false);
    const events = [first, second].flatMap(paymentEvents).map(({ type, sequence }) => `${type} ${sequence}`);
    expect(events).toEqual(['payment.received 1', 'payment.applied 2', 'payment.refunded 3']);
    expect(paymentEvents(first)[0]?.data).toMatchObject({ _id: 'pay_1', amount: 1 });
  });
});

/** A part with which the invoice was paid. */
const paid = (n: number, amountMinor: number): Allocation => ({
  ...allocation(n, amountMinor),
  isPaid: true,
});

const allocation = (n: number, amountMinor: number): Allocation => ({
  invoiceId: `inv_${n}`,
  number: `INV-${n}`,
  externalId: 'user-1',
  subscriptionId: 'sub_1',
  n,
  amountMinor,
});

const recordOf = (): Payment => ({
  paymentId: 'pay_1',
  applicationId: 'app_1',
  source: 'bank',
  sourceId: 'e1',
  method: 'bank_transfer',
  amountMinor: 100,
  currency: 'EUR',
  valueAtMs: nowMs,
  status: 'unapplied',
  allocations: [],
  creditedMinor: 0,
  returnedMinor: 0,
  refundedMinor: 0,
  disputedMinor: 0,
  recordedAtMs: nowMs,
  updatedAtMs: nowMs,
  eventCount: 0,
  revision: 0,
});
