import { describe, expect, test } from 'vitest';
import { type Allocation, type Payment, unappliedMinor } from '../../../../functions/ledger/payment.ts';
import { changedPayment, paymentEvents, settledStatus } from '../../../../functions/ledger/payment-change.ts';
import { gatewayOf, paymentIdOf } from '../../../../functions/ledger/payment-id.ts';
import { valueAtMsOf } from '../../../../functions/payments/value-date.ts';
import { dayMs } from '../../../../functions/shared/runtime/duration.ts';

const nowMs = Date.parse('2027-03-10T12:00:00Z');

describe('the id of a payment', () => {
  test('is the same for the same payment, and another for each application, source and id there', () => {
    expect(paymentIdOf('app_1', 'bank', 'e1')).toBe('pay_7RTKB101DGQ43F4Q4DGVFDNMB6');
    const ids = [
      paymentIdOf('app_1', 'bank', 'e1'),
      paymentIdOf('app_2', 'bank', 'e1'),
      paymentIdOf('app_1', 'stripe', 'e1'),
      paymentIdOf('app_1', 'bank', 'e2'),
    ];
    expect(new Set(ids).size).toBe(4);
  });
});

describe('a value date', () => {
  test.each([
    [undefined, nowMs],
    ['2027-03-09', Date.parse('2027-03-09')],
    ['2027-03-11T12:00:00Z', nowMs + dayMs],
    ['2027-03-11T12:00:00.001Z', undefined],
    ['2000-01-01', Date.parse('2000-01-01')],
    ['1999-12-31T23:59:59.999Z', undefined],
    ['soon', undefined],
  ])('%s is %s', (text, expected) => {
    expect(valueAtMsOf(text, nowMs)).toBe(expected);
  });
});

describe('a payment at a gateway', () => {
  test('is one of the sandbox by its id', () => {
    expect([gatewayOf('sandbox-1'), gatewayOf('pi_sandbox-1')]).toEqual(['sandbox', 'stripe']);
  });
});

describe('the money of a payment', () => {
  const amounts = (applied: number, creditedMinor: number, returnedMinor: number) => ({
    amountMinor: 100,
    allocations: applied === 0 ? [] : [allocation(1, applied)],
    creditedMinor,
    returnedMinor,
    refundedMinor: 0,
    disputedMinor: 0,
  });

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
      expect([unappliedMinor(payment), settledStatus(payment, true)]).toEqual([waiting, status]);
    },
  );

  test('that pays a part of an invoice is partial', () => {
    expect(settledStatus(amounts(100, 0, 0), false)).toBe('partial');
    expect(settledStatus({ ...amounts(0, 0, 5), amountMinor: 5 }, true)).toBe('returned');
  });

  test('is refunded or disputed when its gateway has it again', () => {
    expect(settledStatus({ ...amounts(0, 0, 0), refundedMinor: 100 }, false)).toBe('refunded');
    expect(settledStatus({ ...amounts(0, 0, 0), refundedMinor: 40, disputedMinor: 60 }, false)).toBe(
      'disputed',
    );
    expect(settledStatus({ ...amounts(0, 0, 60), refundedMinor: 40 }, false)).toBe('refunded');
    expect(settledStatus({ ...amounts(40, 0, 0), refundedMinor: 60 }, true)).toBe('applied');
    expect(settledStatus({ ...amounts(0, 0, 0), disputedMinor: 99 }, false)).toBe('unapplied');
  });

  test('of nothing is applied', () => {
    expect(settledStatus({ ...amounts(0, 0, 0), amountMinor: 0 }, true)).toBe('applied');
    expect(settledStatus({ ...amounts(0, 0, 0), amountMinor: 0 }, false)).toBe('applied');
  });

  test('is never used twice', () => {
    const fields = { ...recordOf(), ...amounts(60, 30, 20) };
    expect(() => changedPayment(undefined, fields, [], nowMs)).toThrow(
      'More of a payment is used than it has',
    );
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
