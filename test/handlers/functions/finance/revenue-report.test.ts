/** The revenue report: against recounts that share no code with it, and against the engine. */
import { describe, expect, test } from 'vitest';
import type { z } from 'zod/mini';
import type { RevenueResponse } from '../../../../functions/finance/reports/schemas.ts';
import { dayMs } from '../../../../functions/shared/runtime/duration.ts';
import type { PaymentStatus } from '../../../../functions/subscriptions/payments/payment.ts';
import { call } from '../../../support/call.ts';
import {
  paymentRecord,
  putInvoice,
  putPayment,
  putSubscriptionAlone,
} from '../../../support/finance/population.ts';
import { Seeded } from '../../../support/parallel/seeded.ts';
import { invoiceRecord, subscriptionRecord } from '../../../support/subscriptions/records.ts';
import {
  act,
  asSeller,
  good,
  newPlan,
  newSeller,
  subscribe,
  subscribed,
} from '../../../support/subscriptions/requests.ts';
import { bearer, newOperatorKey, type Tenant } from '../../../support/tenants.ts';

type Currency = z.output<typeof RevenueResponse>['report']['currencies'][number];

const report = async (seller: Tenant, query: Record<string, string> = {}) =>
  good(await call('finance.report-revenue', { headers: asSeller(seller), query })).report;

describe('what the engine writes', () => {
  test('is counted: new subscriptions, trials, churn, what is invoiced and outstanding', async () => {
    const seller = await newSeller();
    const monthly = await newPlan(seller, { price: 10 });
    const yearly = await newPlan(seller, { price: 100, billingCycle: 'annual' });
    const start = async (planId: string) =>
      good(await subscribe(seller, { body: { planId } })).subscription._id;
    const paid = [await start(monthly), await start(yearly), await start(monthly)];
    for (const id of paid) good(await act(seller, 'activate', id));
    good(await act(seller, 'cancel', paid[0] ?? ''));
    good(await act(seller, 'pause', paid[2] ?? ''));
    await start(monthly);
    await subscribed(seller, 'trialing');
    const { currencies, subscriptions, trials } = await report(seller);
    expect(currencies).toEqual([
      {
        currency: 'EUR',
        // 100 a year are 8.33 a month.
        recurring: {
          start: 0,
          new: 28.33,
          expansion: 0,
          reactivated: 0,
          contraction: 0,
          paused: -10,
          churned: -10,
          end: 8.33,
        },
        invoiced: 130,
        credited: 0,
        received: 120,
        returned: 0,
        outstanding: { total: 10, notDue: 10, days1To30: 0, days31To60: 0, days61To90: 0, over90: 0 },
      },
    ]);
    expect(subscriptions).toEqual({ payingAtStart: 0, new: 3, reactivated: 0, churned: 1, payingAtEnd: 1 });
    expect(trials).toEqual({ started: 1, converted: 0, lost: 0 });
  });

  test('counts what activate received, what was sent back, and no payment that failed under way', async () => {
    const seller = await newSeller();
    const { id } = await subscribed(seller, 'active');
    await putPayment(paymentRecord(seller, { amountMinor: 500, returnedMinor: 200 }));
    await putPayment(
      paymentRecord(seller, { status: 'returned', returnedMinor: 999, allocations: [], neverArrived: true }),
    );
    await putPayment(paymentRecord(seller, { status: 'processing', allocations: [] }));
    const { payments } = good(await call('finance.payment-list', { headers: asSeller(seller) }));
    expect(payments.map(({ subscriptionId }: { subscriptionId?: string }) => subscriptionId)).toContain(id);
    expect((await report(seller)).currencies[0]).toMatchObject({ received: 14.99, returned: 2 });
  });

  test('counts a trial as converted when it is paid, and as lost when it is cancelled', async () => {
    const seller = await newSeller();
    const converted = await subscribed(seller, 'trialing');
    good(await act(seller, 'activate', converted.id));
    const lost = await subscribed(seller, 'trialing');
    good(await act(seller, 'cancel', lost.id));
    const { trials } = await report(seller);
    expect(trials.lost).toBe(1);
    expect(trials.started).toBe(2);
    expect(trials.converted + trials.lost).toBeLessThanOrEqual(2);
  });

  test('a subscription of release 0.1.0 counts from its access on, and churns once', async () => {
    const seller = await newSeller();
    const { id, externalId } = await subscribed(seller, 'active');
    const old = subscriptionRecord({ applicationId: seller.applicationId, externalId: `${externalId}-old` });
    await putSubscriptionAlone(old);
    good(await act(seller, 'cancel', id));
    const { subscriptions } = await report(seller, { from: '2020-01-01' });
    expect(subscriptions).toMatchObject({ payingAtStart: 0, new: 2, churned: 1, payingAtEnd: 1 });
  });
});

/** A population at random, stored, with what a report of a period has to say of it, counted on the way. */
async function randomPopulation(seller: Tenant, seed: number, size: number) {
  const random = new Seeded(seed);
  const int = (below: number) => random.below(below);
  const pick = <T>(all: readonly T[]): T => random.pick(all);
  const nowMs = Date.now();
  const fromMs = nowMs - 30 * dayMs;
  const cycles = {
    weekly: 52 / 12,
    monthly: 1,
    quarterly: 1 / 3,
    semiannual: 1 / 6,
    annual: 1 / 12,
  } as const;
  const sums = new Map<string, number>();
  const count = (name: string, by: number) => {
    if (by !== 0) sums.set(name, (sums.get(name) ?? 0) + by);
  };
  const isIn = (atMs: number) => atMs >= fromMs && atMs < nowMs;
  const writes: (() => Promise<unknown>)[] = [];
  for (let i = 0; i < size; i += 1) {
    const currency = pick(['EUR', 'USD', 'JPY']);
    const billingCycle = pick(Object.keys(cycles) as (keyof typeof cycles)[]);
    const priceMinor = int(100_000);
    // Half up, away from the doubts of doubles: twelfths are exact.
    const monthly = Math.floor((priceMinor * Math.round(cycles[billingCycle] * 12) * 2 + 12) / 24);
    const createdAtMs = nowMs - int(90 * dayMs);
    const plan = { planId: 'pln_1', name: 'Pro', priceMinor, currency, billingCycle };
    const base = { applicationId: seller.applicationId, plan, createdAtMs };
    const endedAtMs = createdAtMs + int(nowMs - createdAtMs);
    switch (pick(['trial', 'lost', 'paying', 'ended', 'paused', 'changed'])) {
      case 'trial':
        writes.push(() =>
          putSubscriptionAlone({
            ...withoutTerm(subscriptionRecord({ ...base, status: 'trialing' })),
            trialStartMs: createdAtMs,
          }),
        );
        count('trials started', isIn(createdAtMs) ? 1 : 0);
        break;
      case 'lost':
        writes.push(() =>
          putSubscriptionAlone({
            ...withoutTerm(subscriptionRecord({ ...base, status: 'expired' })),
            trialStartMs: createdAtMs,
            endedAtMs,
            endReason: 'trial_over' as const,
          }),
        );
        count('trials started', isIn(createdAtMs) ? 1 : 0);
        count('trials lost', isIn(endedAtMs) ? 1 : 0);
        break;
      case 'paying': {
        const movements = [{ atMs: createdAtMs, kind: 'new' as const, currency, monthlyMinor: monthly }];
        writes.push(() =>
          putSubscriptionAlone(subscriptionRecord({ ...base, status: 'past_due', movements })),
        );
        count(`${currency} ${isIn(createdAtMs) ? 'new' : 'start'}`, monthly);
        count(`${currency} end`, monthly);
        count(`${isIn(createdAtMs) ? 'new' : 'payingAtStart'}`, 1);
        count('payingAtEnd', 1);
        break;
      }
      case 'ended':
      case 'paused': {
        const kind = i % 2 === 0 ? ('churned' as const) : ('paused' as const);
        const movements = [
          { atMs: createdAtMs, kind: 'new' as const, currency, monthlyMinor: monthly },
          { atMs: endedAtMs, kind, currency, monthlyMinor: 0 },
        ];
        const status = kind === 'churned' ? ('cancelled' as const) : ('paused' as const);
        writes.push(() => putSubscriptionAlone(subscriptionRecord({ ...base, status, movements })));
        if (isIn(createdAtMs)) {
          count(`${currency} new`, monthly);
          count('new', 1);
        } else if (isIn(endedAtMs)) {
          count(`${currency} start`, monthly);
          count('payingAtStart', 1);
        }
        if (isIn(endedAtMs)) {
          count(`${currency} ${kind}`, -monthly);
          if (kind === 'churned') count('churned', 1);
        }
        break;
      }
      default: {
        const after = int(10_000) + 1;
        const kind = after > monthly ? ('expansion' as const) : ('contraction' as const);
        const movements = [
          { atMs: createdAtMs, kind: 'new' as const, currency, monthlyMinor: monthly },
          { atMs: endedAtMs, kind, currency, monthlyMinor: after },
        ];
        writes.push(() => putSubscriptionAlone(subscriptionRecord({ ...base, status: 'active', movements })));
        if (isIn(createdAtMs)) {
          count(`${currency} new`, monthly);
          count('new', 1);
        } else {
          count(`${currency} start`, isIn(endedAtMs) ? monthly : after);
          count('payingAtStart', 1);
        }
        count(`${currency} ${kind}`, isIn(endedAtMs) ? after - monthly : 0);
        count(`${currency} end`, after);
        count('payingAtEnd', 1);
      }
    }
    const issuedAtMs = nowMs - int(150 * dayMs);
    const totalMinor = int(50_000) + 1;
    const status = pick(['open', 'paid', 'void', 'uncollectible', 'refunded'] as const);
    const receivedMinor = status === 'open' ? int(totalMinor) : totalMinor;
    const dueAtMs = issuedAtMs + 7 * dayMs;
    writes.push(() =>
      putInvoice(
        invoiceRecord(subscriptionRecord(base), i + 1, {
          currency,
          totalMinor,
          receivedMinor,
          issuedAtMs,
          dueAtMs,
          status,
          plan,
        }),
      ),
    );
    count(`${currency} invoiced`, isIn(issuedAtMs) ? totalMinor : 0);
    if (status === 'open') {
      const overdueDays = (nowMs - dueAtMs) / dayMs;
      const bounds = [0, 30, 60, 90];
      const names = ['notDue', 'days1To30', 'days31To60', 'days61To90', 'over90'];
      const at = bounds.findIndex((bound) => overdueDays <= bound);
      count(`${currency} ${names.at(at)}`, totalMinor - receivedMinor);
      count(`${currency} total`, totalMinor - receivedMinor);
    }
    const valueAtMs = nowMs - int(60 * dayMs);
    const recordedAtMs = Math.min(nowMs, valueAtMs + int(3 * dayMs));
    const paymentStatus: PaymentStatus = pick(['applied', 'unapplied', 'refunded', 'processing', 'partial']);
    const amountMinor = int(50_000) + 1;
    const returnedMinor = paymentStatus === 'refunded' ? amountMinor : pick([0, int(amountMinor)]);
    const updatedAtMs = recordedAtMs + int(nowMs - recordedAtMs);
    writes.push(() =>
      putPayment(
        paymentRecord(seller, {
          currency,
          amountMinor,
          valueAtMs,
          recordedAtMs,
          updatedAtMs,
          returnedMinor,
          status: paymentStatus,
        }),
      ),
    );
    const arrived = paymentStatus !== 'processing' || returnedMinor > 0;
    count(`${currency} received`, arrived && isIn(valueAtMs) ? amountMinor : 0);
    count(`${currency} returned`, isIn(updatedAtMs) ? returnedMinor : 0);
  }
  for (let i = 0; i < writes.length; i += 50)
    await Promise.all(writes.slice(i, i + 50).map((write) => write()));
  return { from: new Date(fromMs).toISOString(), to: new Date(nowMs).toISOString(), sums };
}

function withoutTerm<T extends { termStartMs?: number; termEndMs?: number }>({
  termStartMs: _,
  termEndMs: __,
  ...rest
}: T) {
  return rest;
}

const decimals: Record<string, number> = { EUR: 100, USD: 100, JPY: 1 };

test.each([1, 2, 3])('is exact against a recount of a random population, seed %i', async (seed) => {
  const seller = await newSeller();
  const { from, to, sums } = await randomPopulation(seller, seed, 150);
  const { currencies, subscriptions, trials } = await report(seller, { from, to });
  const reported: [string, number][] = [
    ...currencies.flatMap(
      ({ currency, recurring, outstanding, invoiced, credited, received, returned }: Currency) =>
        Object.entries<number>({
          ...recurring,
          ...outstanding,
          invoiced,
          credited,
          received,
          returned,
        }).map(([name, amount]) => [`${currency} ${name}`, Math.round(amount * (decimals[currency] ?? 1))]),
    ),
    ...Object.entries<number>(subscriptions).filter(([name]) => name !== 'churnRate'),
    ...Object.entries<number>(trials)
      .filter(([name]) => name !== 'conversionRate')
      .map(([name, amount]): [string, number] => [`trials ${name}`, amount]),
  ];
  expect(Object.fromEntries(reported.filter(([, amount]) => amount !== 0))).toEqual(Object.fromEntries(sums));
  for (const { recurring } of currencies) {
    const { start, end, ...changes } = recurring as Record<string, number>;
    const sum = Object.values(changes).reduce((total, change) => total + change, start ?? 0);
    expect(end).toBeCloseTo(sum, 6);
  }
});

describe('a request', () => {
  test('without a period is about the month so far', async () => {
    const { from, to } = await report(await newSeller());
    const now = new Date();
    expect(from).toBe(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())).toISOString());
    expect(Math.abs(Date.parse(to) - now.getTime())).toBeLessThan(10_000);
  });

  test.each([{ from: '2099-01-01' }, { from: '2026-02-01', to: '2026-01-01' }])(
    'is refused for %j, which is no period of the past',
    async (query) => {
      const { status, body } = await call('finance.report-revenue', {
        headers: asSeller(await newSeller()),
        query: query as Record<string, string>,
      });
      expect([status, Object.keys(body.details)]).toEqual([400, ['from']]);
    },
  );

  test('of an operator is about the application that they name, and that of a stranger about nothing', async () => {
    const seller = await newSeller();
    await subscribed(seller, 'active');
    const headers = { ...bearer(await newOperatorKey()), 'x-application-id': seller.applicationId };
    const named = good(await call('finance.report-revenue', { headers })).report;
    expect(named.subscriptions.payingAtEnd).toBe(1);
    expect((await report(await newSeller())).currencies).toEqual([]);
  });
});
