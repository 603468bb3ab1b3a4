import { incomingPayment } from '../../../../functions/payments/reported.ts';

const nowMs = Date.UTC(2026, 10, 22);
const body = { reference: 'sub 7k3m 9xqp', amount: 12.5, currency: 'EUR', method: 'bank_transfer' } as const;
type Body = Parameters<typeof incomingPayment>[0];
const caller = { applicationId: 'app_1', by: 'operator' } as unknown as Parameters<typeof incomingPayment>[1];
const read = (more: Partial<Body> = {}) =>
  incomingPayment(Object.assign({}, body, more), caller, { sourceId: 'source', nowMs });

test('a reported payment has minor units, the time of its value date, and one target', () => {
  expect(read()).toEqual({
    applicationId: 'app_1',
    source: 'application',
    sourceId: 'source',
    method: 'bank_transfer',
    amountMinor: 1_250,
    currency: 'EUR',
    valueAtMs: nowMs,
    target: { reference: 'SUB-7K3M9XQP' },
    by: 'application',
  });
  const none = { reference: undefined };
  expect(read(Object.assign({ invoiceId: 'inv_1' }, none)).target).toEqual({ invoiceId: 'inv_1' });
  expect(read(Object.assign({ subscriptionId: 'sub_1' }, none)).target).toEqual({ subscriptionId: 'sub_1' });
  expect(read({ reference: 'other' }).target).toEqual({ reference: 'other' });
  expect(read(none).target).toEqual({ reference: '' });
  expect(read({ valueDate: '2026-11-20' }).valueAtMs).toBe(Date.UTC(2026, 10, 20));
  expect(read({ payer: { name: 'Ada', iban: undefined } }).payer).toStrictEqual({ name: 'Ada' });
});

test.each([
  [{ currency: 'XXQ' }, { currency: 'must be an ISO 4217 code' }],
  [{ amount: 1.001 }, { amount: 'must have at most as many decimals as the currency' }],
  [{ amount: 0 }, { amount: 'must have at most as many decimals as the currency' }],
  [{ amount: -1 }, { amount: 'must have at most as many decimals as the currency' }],
  [{ amount: 10_000_000_000_000.01 }, { amount: 'is too large' }],
  [{ valueDate: '1999-12-31' }, { valueDate: 'must be in the year 2000 or later, and at most a day ahead' }],
  [{ valueDate: '2026-11-24' }, { valueDate: 'must be in the year 2000 or later, and at most a day ahead' }],
])('a payment with %j is refused', (more, details) => {
  expect(() => read(more)).toThrow(expect.objectContaining({ code: 'invalid_request', details }));
});

test('the least and the largest amount, and a value date a day ahead, are taken', () => {
  expect([read({ amount: 0.01 }).amountMinor, read({ amount: 1e13 }).amountMinor]).toEqual([1, 1e15]);
  expect(read({ valueDate: '2026-11-23' }).valueAtMs).toBe(Date.UTC(2026, 10, 23));
});
