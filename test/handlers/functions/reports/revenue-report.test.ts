/** The revenue report: each record where it belongs, and what the engine writes. */
import type { Invoice } from '../../../../functions/invoices/invoice.ts';
import type { Payment } from '../../../../functions/ledger/payment.ts';
import { dayMs, isoTime } from '../../../../functions/shared/runtime/clock.ts';
import type { MovementKind } from '../../../../functions/subscriptions/record/movement.ts';
import type { SubscriptionFields } from '../../../../functions/subscriptions/record/subscription.ts';
import { call, good, newSeller, noonMs, onTestClock, type Tenant } from '../../../support/call.ts';
import * as population from '../../../support/lists/population.ts';
import * as records from '../../../support/subscriptions/records.ts';

onTestClock();

const reportOf = (seller: Tenant, query: Record<string, string> = {}) =>
  call('reports.revenue-read', { headers: seller.headers, query });
const report = async (...args: Parameters<typeof reportOf>) => good(await reportOf(...args)).report;
const day = (days: number) => noonMs + days * dayMs;

describe('a record counts where it belongs', () => {
  type Put = (seller: Tenant) => Promise<unknown>;
  type Row = readonly [put: Put, counts: Record<string, number>];

  const subscription = (more: Partial<SubscriptionFields>): Put => {
    return ({ applicationId }) =>
      population.putSubscriptionAlone(
        records.subscriptionRecord({ createdAtMs: day(-60), applicationId, ...more }),
      );
  };
  const moved = (...movements: [days: number, kind: MovementKind, monthlyMinor: number][]) => ({
    movements: movements.map(([days, kind, monthlyMinor]) => ({
      atMs: day(days),
      kind,
      currency: 'EUR',
      monthlyMinor,
    })),
  });
  const trialFrom = (days: number) => ({ trialStartMs: day(days), trialEndMs: day(days + 7) });
  const paying = (...movements: Parameters<typeof moved>) => subscription(moved(...movements));
  const invoice = (more: Partial<Invoice>): Put => {
    return ({ applicationId }) =>
      population.putInvoice(records.invoiceRecord(records.subscriptionRecord({ applicationId }), 1, more));
  };
  const note = (issuedAtMs: number): Put => {
    return ({ applicationId }) => {
      const of = records.invoiceRecord(records.subscriptionRecord({ applicationId }), 1);
      return population.putCreditNote(records.creditNoteRecord(of, 1, { issuedAtMs, totalMinor: 70 }));
    };
  };
  const payment = (recordedAtMs: number, more: Partial<Payment>): Put => {
    return (seller) =>
      population.putPayment(population.paymentRecord(seller, { recordedAtMs, amountMinor: 500, ...more }));
  };

  // The period is from 30 days ago until 5 days ago.
  const rows: Row[] = [
    [paying([-60, 'new', 1_000]), { start: 1_000, end: 1_000, paying: 1 }],
    [
      paying([-60, 'new', 100], [-20, 'paused', 0], [-10, 'reactivated', 100]),
      { start: 100, paused: -100, reactivated: 100, end: 100, paying: 1, cameBack: 1 },
    ],
    [
      paying([-60, 'new', 200], [-10, 'churned', 0]),
      { start: 200, churned: -200, payingAtStart: 1, ended: 1 },
    ],
    [subscription({ status: 'trialing', ...trialFrom(-10) }), { started: 1 }],
    [
      subscription({ ...trialFrom(-60), ...moved([-10, 'new', 700]) }),
      { converted: 1, new: 700, end: 700, began: 1 },
    ],
    // Invoices: those issued in the period, and all that are open.
    [invoice({ issuedAtMs: day(-30), status: 'paid' }), { invoiced: 999 }],
    [invoice({ issuedAtMs: day(-5), status: 'paid' }), {}],
    [invoice({ issuedAtMs: day(-31), status: 'paid' }), {}],
    [
      invoice({ issuedAtMs: day(-10), dueAtMs: day(3), settled: { paidMinor: 400 } }),
      { invoiced: 999, notDue: 599 },
    ],
    [invoice({ issuedAtMs: day(-1), dueAtMs: day(3) }), { notDue: 999 }],
    [invoice({ issuedAtMs: day(-200), dueAtMs: day(-31), totalMinor: 100 }), { days31To60: 100 }],
    [note(day(-10)), { credited: 70 }],
    [note(day(-5)), {}],
    // Payments: by value date, and by when they went back.
    [payment(day(-40), { valueAtMs: day(-29) }), { received: 500 }],
    [payment(day(-30), { valueAtMs: day(-31) }), {}],
    [payment(day(-90), { status: 'refunded', returnedMinor: 500, updatedAtMs: day(-10) }), { returned: 500 }],
  ];

  let seller: Tenant;
  beforeAll(async () => {
    seller = await newSeller();
    await Promise.all(rows.map(([put]) => put(seller)));
  });

  test('and nowhere else, to the moment', async () => {
    const of = (name: string) => rows.reduce((sum, [, counts]) => sum + (counts[name] ?? 0), 0);
    const minor = (names: readonly string[]) =>
      Object.fromEntries(names.map((name) => [name, of(name) / 100]));
    const ages = ['notDue', 'days1To30', 'days31To60', 'days61To90', 'over90'];
    const kinds = ['start', 'new', 'expansion', 'contraction', 'paused', 'reactivated', 'churned', 'end'];
    const total = ages.reduce((sum, name) => sum + of(name), 0) / 100;
    const query = { from: isoTime(day(-30)), to: isoTime(day(-5)) };
    const { currencies, subscriptions, trials } = await report(seller, query);
    expect(currencies).toEqual([
      {
        currency: 'EUR',
        recurring: minor(kinds),
        ...minor(['invoiced', 'credited', 'cancelled', 'writtenOff', 'paid', 'received', 'returned']),
        outstanding: { total, ...minor(ages) },
      },
    ]);
    expect(subscriptions).toMatchObject({
      payingAtStart: of('paying') + of('payingAtStart'),
      payingAtEnd: of('paying') + of('began'),
      new: of('began'),
      reactivated: of('cameBack'),
      churned: of('ended'),
    });
    expect(trials).toMatchObject({ started: of('started'), converted: of('converted'), lost: 0 });
  });
});

test.each([{ from: '2099-01-01' }, { from: '2026-02-01', to: '2026-01-01' }])(
  'a report of %j, which is no period of the past, is refused',
  async (query: Record<string, string>) => {
    const { status, body } = await reportOf(await newSeller(), query);
    expect([status, Object.keys(body.details)]).toEqual([400, ['from']]);
  },
);
