import { describe, expect, test } from 'vitest';
import {
  afterReinstatement,
  afterReversal,
  isDisputed,
  isOutstanding,
} from '../../../../../functions/ledger/claims.ts';
import { type Payment, unappliedMinor } from '../../../../../functions/ledger/payment.ts';
import {
  changedPayment,
  paymentEvents,
  settledStatus,
} from '../../../../../functions/ledger/payment-change.ts';
import { gatewayOf, paymentIdOf } from '../../../../../functions/ledger/payment-id.ts';
import { valueAtMsOf } from '../../../../../functions/payments/value-date.ts';
import { dayMs } from '../../../../../functions/shared/runtime/duration.ts';

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

describe('the reversals of a payment', () => {
  const dispute = { cause: 'dp_1', atMs: 10 };

  test('are outstanding until each is reinstated', () => {
    expect(isOutstanding({})).toBe(false);
    const reversed = afterReversal(undefined, dispute);
    expect(reversed).toEqual({ dp_1: { atMs: 10 } });
    const both = afterReversal(reversed, { cause: 'refund', atMs: 5 });
    const won = afterReinstatement(both, { cause: 'dp_1', atMs: 20 });
    expect(won).toEqual({ dp_1: { atMs: 20, isReinstated: true }, refund: { atMs: 5 } });
    expect([both, won].map((one = {}) => isOutstanding(one))).toEqual([true, true]);
    expect(isOutstanding(afterReinstatement(reversed, dispute) ?? {})).toBe(false);
  });

  test('are those of the latest event of a cause', () => {
    const reversed = { dp_1: { atMs: 10 } };
    const won = { dp_1: { atMs: 10, isReinstated: true } } as const;
    expect([afterReversal(reversed, dispute), afterReversal(won, { ...dispute, atMs: 9 })]).toEqual([
      undefined,
      undefined,
    ]);
    expect(afterReversal(won, { ...dispute, atMs: 11 })).toEqual({ dp_1: { atMs: 11 } });
    expect(afterReinstatement(reversed, { ...dispute, atMs: 9 })).toBeUndefined();
    expect(afterReinstatement(won, { ...dispute, atMs: 11 })).toBeUndefined();
    expect(afterReinstatement(undefined, dispute)).toEqual(won);
  });
});

describe('a payment at a gateway', () => {
  test('is one of the sandbox by its id', () => {
    expect([gatewayOf('sandbox-1'), gatewayOf('pi_sandbox-1')]).toEqual(['sandbox', 'stripe']);
  });

  test('is disputed before it is reported, if the dispute still stands', () => {
    const early = { applicationId: 'app_1', sourceId: 'pi_1', recordedAtMs: 9, revision: 1 };
    const reversals = { dp_1: { atMs: 1 } };
    expect([undefined, early, { ...early, reversals }].map(isDisputed)).toEqual([false, false, true]);
  });
});

describe('the money of a payment', () => {
  const amounts = (applied: number, creditedMinor: number, returnedMinor: number) => ({
    amountMinor: 100,
    allocations:
      applied === 0
        ? []
        : [{ invoiceId: 'inv_1', number: 'INV-1', n: 1, subscriptionId: 'sub_1', amountMinor: applied }],
    creditedMinor,
    returnedMinor,
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

  test('that pays a part of an invoice is partial; a payment of nothing is applied', () => {
    expect(settledStatus(amounts(100, 0, 0), false)).toBe('partial');
    expect(settledStatus({ ...amounts(0, 0, 0), amountMinor: 0 }, true)).toBe('applied');
    const nothing = { amountMinor: 0, allocations: [], creditedMinor: 0, returnedMinor: 0 };
    expect(settledStatus(nothing, false)).toBe('applied');
    expect(settledStatus({ ...amounts(0, 0, 5), amountMinor: 5 }, true)).toBe('returned');
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
  recordedAtMs: nowMs,
  updatedAtMs: nowMs,
  eventCount: 0,
  revision: 0,
});
