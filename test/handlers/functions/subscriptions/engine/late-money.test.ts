import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { defined } from '../../../../../functions/shared/contract/defined.ts';
import { dayMs, hourMs } from '../../../../../functions/shared/runtime/duration.ts';
import { dueMinor } from '../../../../../functions/subscriptions/invoices/due.ts';
import {
  type PaymentEvent,
  settlement,
} from '../../../../../functions/subscriptions/settlement/settlement.ts';
import { call } from '../../../../support/call.ts';
import { liveUntil } from '../../../../support/subscriptions/courses.ts';
import { paymentOf, reportOf, transfer } from '../../../../support/subscriptions/payments.ts';
import {
  act,
  asSeller,
  current,
  details,
  good,
  newClient,
  newPlan,
  newSeller,
  subscribe,
  subscribedByTransfer,
} from '../../../../support/subscriptions/requests.ts';
import { lose, refund, win } from '../../../../support/subscriptions/reversals.ts';
import { brought, daysLater, noonMs, onTestClock, step } from '../../../../support/subscriptions/steps.ts';
import {
  clientOf,
  expectSound,
  stateOf,
  storedSubscription,
} from '../../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';
import type { Tenant } from '../../../../support/tenants.ts';

onTestClock();
leaveOutPdfs();

const announcedOf = async (seller: Tenant, externalId: string) =>
  (await storedSubscription(seller, externalId)).timeline.map(({ event, to }) => [event, to]);

/** A paid subscription of 31 days at 31.00 EUR, whose plan changes on a day to one of 62.00 EUR. */
async function changed(onDay: number, settings: Record<string, unknown> = {}) {
  const seller = await newSeller('none', settings);
  const [externalId, planId, dear] = await Promise.all([
    newClient(seller),
    newPlan(seller, { price: 31 }),
    newPlan(seller, { name: 'Team', price: 62 }),
  ]);
  const id = await subscribedByTransfer(seller, { externalId, planId });
  await liveUntil(noonMs + onDay * dayMs, () => stateOf(seller, externalId));
  good(await act(seller, 'change', id, { planId: dear }));
  return { seller, externalId, id };
}

describe('the invoice of a change of plan that is paid late', () => {
  test('leaves the subscription past due when the term is over and its renewal is not paid', async () => {
    const { seller, externalId, id } = await changed(20);
    await liveUntil(noonMs + 26 * dayMs, () => stateOf(seller, externalId));
    // The renewal was issued on day 24; the change is owed from day 27 on.
    await liveUntil(noonMs + 33 * dayMs, () => stateOf(seller, externalId));
    expect(await stateOf(seller, externalId)).toMatchObject({
      status: 'past_due',
      dunning: { fromMs: noonMs + 27 * dayMs },
    });
    const before = (await stateOf(seller, externalId)).openInvoices;
    expect(before).toHaveLength(2);
    const change = before.find(({ planOnPayment }) => planOnPayment === undefined);
    await transfer(seller, id, change?.totalMinor ?? 0, { target: { invoiceId: change?.invoiceId } });
    const after = await stateOf(seller, externalId);
    expect(after).toMatchObject({
      status: 'past_due',
      // As if the change had been paid in time: the renewal is dunned from the end of the term.
      dunning: { fromMs: noonMs + 31 * dayMs, reminders: 2 },
      openInvoices: [{ n: before.find(({ n }) => n !== change?.n)?.n }],
    });
    expect((await announcedOf(seller, externalId)).at(-1)).toEqual(['payment', 'past_due']);
    expect(good(await current(seller, externalId)).subscription.access).toBe('grace');
    await expectSound(seller, externalId);
  });
});

describe('a term that the credit of the client pays', () => {
  /** As the current subscription, the record and the lists show it. */
  const accessOf = async (seller: Tenant, externalId: string, id: string) => {
    const record = good(await details(seller, id)).subscription;
    for (const query of [{}, { status: record.status }, { externalId }]) {
      const { subscriptions } = good(
        await call('subscriptions.list', { headers: asSeller(seller), query }),
      ) as { subscriptions: (typeof record)[] };
      const listed = subscriptions.find(({ _id }) => _id === id);
      expect([query, listed?.status, listed?.access, listed?.entitled]).toEqual([
        query,
        record.status,
        record.access,
        record.entitled,
      ]);
    }
    return [good(await current(seller, externalId)).subscription.access, record.access];
  };

  test('gives full access while the step that renews it is late, for the terms that the credit pays', async () => {
    const seller = await newSeller();
    const { id, externalId } = await brought(seller, 'active');
    await transfer(seller, id, 2 * 999);
    // Nothing runs: the terms end on 10 April, 10 May and 10 June.
    vi.setSystemTime(Date.parse('2027-04-11T12:00:00.000Z'));
    expect(await accessOf(seller, externalId, id)).toEqual(['full', 'full']);
    vi.setSystemTime(Date.parse('2027-06-10T11:00:00.000Z'));
    expect(await accessOf(seller, externalId, id)).toEqual(['full', 'full']);
    vi.setSystemTime(Date.parse('2027-06-11T12:00:00.000Z'));
    // The third renewal is overdue by a day: the dates of the old term say no more, until the step runs.
    await step(await stateOf(seller, externalId));
    expect(await accessOf(seller, externalId, id)).toEqual(['grace', 'grace']);
    await expectSound(seller, externalId);
  });

  test('keeps a trial the current subscription while its steps are late, also beside a newer one that is not paid', async () => {
    const seller = await newSeller();
    const { id: first, externalId } = await brought(seller, 'pending');
    await transfer(seller, first, 2 * 999);
    good(await act(seller, 'cancel', first));
    daysLater(1);
    const planId = await newPlan(seller, { trialPeriodDays: 14 });
    const trial = good(await subscribe(seller, { body: { externalId, planId } })).subscription;
    daysLater(1);
    // The credit is in EUR.
    const dollars = await newPlan(seller, { currency: 'USD' });
    const newer = good(await subscribe(seller, { body: { externalId, planId: dollars } })).subscription;
    expect([trial.status, newer.status]).toEqual(['trialing', 'pending']);
    daysLater(14);
    const before = good(await current(seller, externalId)).subscription;
    await step(await stateOf(seller, externalId, trial._id));
    const after = good(await current(seller, externalId)).subscription;
    expect([after._id, after.status, after.access]).toEqual([trial._id, 'active', 'full']);
    expect([before._id, before.access]).toEqual([trial._id, 'full']);
    await expectSound(seller, externalId);
  });
});

describe('a repeated activate', () => {
  const activating = (seller: Tenant, id: string, body: object, key?: string) =>
    call('subscriptions.activate', {
      headers: { ...asSeller(seller), ...defined({ 'idempotency-key': key }) },
      params: { id },
      body,
    });

  test.each([
    ['an Idempotency-Key', {}, randomUUID()],
    ['the id of a payment', { paymentId: 'transfer-1' }, undefined],
    ['both and an amount', { paymentId: 'transfer-1', amount: 9.99 }, randomUUID()],
  ])('with %s answers as the first did, and takes no step that is due by then', async (_, body, key) => {
    const seller = await newSeller();
    const externalId = await newClient(seller);
    // Its renewal is due an hour after the payment.
    const planId = await newPlan(seller, { billingCycle: 'weekly', price: 9.99 });
    const { subscription } = good(await subscribe(seller, { body: { externalId, planId } }));
    const id = subscription._id as string;
    good(await act(seller, 'activate', id));
    await liveUntil(noonMs + 13 * dayMs + 23 * hourMs, () => stateOf(seller, externalId));
    const first = await activating(seller, id, body, key);
    expect(first.status).toBe(200);
    await liveUntil(Date.now() + 12 * hourMs, () => stateOf(seller, externalId));
    const before = await storedSubscription(seller, externalId);
    vi.setSystemTime(noonMs + 14 * dayMs + 22 * hourMs);
    const again = await activating(seller, id, body, key);
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(await storedSubscription(seller, externalId)).toEqual(before);
  });

  test('with the id of a payment and another amount is a conflict', async () => {
    const seller = await newSeller();
    const { id } = await brought(seller, 'pending');
    good(await activating(seller, id, { paymentId: 'transfer-2', amount: 9.99 }));
    expect((await activating(seller, id, { paymentId: 'transfer-2', amount: 9.98 })).status).toBe(409);
  });
});

const creditOf = async (seller: Tenant, externalId: string) =>
  (await clientOf(seller, externalId))?.credit?.EUR ?? 0;

describe('a dispute that is won of a payment that was refunded in part', () => {
  /** An active subscription that was paid at a gateway. */
  async function paid() {
    const seller = await newSeller('sandbox');
    const { id, externalId } = await brought(seller, 'pending');
    const report = await reportOf(seller, externalId);
    await settlement.recordPayment(report);
    return { seller, id, externalId, report };
  }
  type Paid = Awaited<ReturnType<typeof paid>>;
  const toTheEnd = ({ seller, externalId }: Paid) =>
    liveUntil(Date.now() + 90 * dayMs, () => stateOf(seller, externalId));

  test.each<[string, (one: Paid) => Promise<unknown>]>([
    [
      'refunded before, disputed after',
      async (one) => {
        await refund(one.report, 300);
        await toTheEnd(one);
        await lose(one.report);
      },
    ],
    [
      'disputed before, refunded after',
      async (one) => {
        await lose(one.report);
        await toTheEnd(one);
        await refund(one.report, 300);
      },
    ],
  ])('leaves nothing of the dispute after the end of the subscription: %s', async (_, happen) => {
    const one = await paid();
    await happen(one);
    expect((await stateOf(one.seller, one.externalId)).status).toBe('expired');
    expect(await paymentOf(one.report)).toMatchObject({ status: 'disputed', returnedMinor: 999 });
    expect(await win(one.report)).toBe('applied');
    expect(await paymentOf(one.report)).toMatchObject({
      status: 'applied',
      returnedMinor: 300,
      allocations: [{ amountMinor: 699 }],
    });
    const { invoices } = await storedSubscription(one.seller, one.externalId);
    expect(invoices[0]).toMatchObject({ status: 'paid', receivedMinor: 699, reversed: false });
    expect(await creditOf(one.seller, one.externalId)).toBe(0);
    await expectSound(one.seller, one.externalId);
  });
});

/** A subscription with a renewal that used the credit of a payment at the gateway, which is refunded then: 999 is owed. */
async function indebted() {
  const seller = await newSeller('sandbox');
  const { id, externalId } = await brought(seller, 'pending');
  const report = { ...(await reportOf(seller, externalId)), amountMinor: 1_998 };
  await settlement.recordPayment(report);
  expect(await creditOf(seller, externalId)).toBe(999);
  const { termEndMs = 0 } = await stateOf(seller, externalId);
  await liveUntil(termEndMs - dayMs, () => stateOf(seller, externalId));
  expect(await stateOf(seller, externalId)).toMatchObject({ status: 'active', termIndex: 2 });
  await refund(report, 999);
  expect(await creditOf(seller, externalId)).toBe(-999);
  const { termEndMs: nextMs = 0 } = await stateOf(seller, externalId);
  await liveUntil(nextMs - 6 * dayMs, () => stateOf(seller, externalId));
  return { seller, id, externalId };
}

describe('credit below 0, after the refund of a payment whose credit was used', () => {
  test('is asked for by the next invoice, whose total stays the price', async () => {
    const { seller, id, externalId } = await indebted();
    const { subscription, invoices } = await storedSubscription(seller, externalId);
    expect(subscription.openInvoices.map(dueMinor)).toEqual([1_998]);
    expect(invoices.at(-1)).toMatchObject({ status: 'open', totalMinor: 999, creditUsedMinor: -999 });
    expect(await creditOf(seller, externalId)).toBe(0);
    const { invoices: shown } = good(await details(seller, id)).subscription;
    expect(shown.at(-1)).toMatchObject({ total: 9.99, amountDue: 19.98 });
    await expectSound(seller, externalId);
    const { payment } = await transfer(seller, id, 999);
    expect(payment.status).toBe('partial');
    await transfer(seller, id, 999);
    const paid = await storedSubscription(seller, externalId);
    expect(paid.invoices.at(-1)).toMatchObject({ status: 'paid', receivedMinor: 999 });
    expect(paid.subscription).toMatchObject({ termIndex: 3, openInvoices: [] });
    expect(await creditOf(seller, externalId)).toBe(0);
    await expectSound(seller, externalId);
  });

  test('is no part of what revives an expired subscription', async () => {
    const { seller, id, externalId } = await indebted();
    await transfer(seller, id, 300);
    await liveUntil(Date.now() + 40 * dayMs, () => stateOf(seller, externalId));
    expect((await stateOf(seller, externalId)).status).toBe('expired');
    expect(await creditOf(seller, externalId)).toBe(-699);
    await transfer(seller, id, 999, { valueAtMs: Date.now() - 13 * dayMs });
    const { subscription, invoices } = await storedSubscription(seller, externalId);
    expect([subscription.status, await creditOf(seller, externalId)]).toEqual(['active', -699]);
    expect(invoices.at(-1)).toMatchObject({ status: 'paid', receivedMinor: 999, creditedMinor: 300 });
    await expectSound(seller, externalId);
  });

  test.each([
    ['refunded in full', (report: PaymentEvent) => refund(report), 'refunded', -999],
    [
      'refunded in parts',
      async (report: PaymentEvent) => {
        await refund(report, 1_200);
        await refund(report, 1_500);
        await refund(report, 1_998);
      },
      'refunded',
      -999,
    ],
    ['disputed', (report: PaymentEvent) => lose(report), 'open', 0],
    [
      'disputed and won',
      async (report: PaymentEvent) => {
        await lose(report);
        await win(report);
      },
      'paid',
      0,
    ],
  ] as const)(
    'is owed as before when the payment that paid it is %s',
    async (_, happen, status, creditMinor) => {
      const { seller, externalId } = await indebted();
      const report = { ...(await reportOf(seller, externalId)), amountMinor: 1_998 };
      expect(await settlement.recordPayment(report)).toBe('applied');
      await expectSound(seller, externalId);
      await happen(report);
      const { subscription, invoices } = await storedSubscription(seller, externalId);
      expect([invoices.at(-1)?.status, await creditOf(seller, externalId)]).toEqual([status, creditMinor]);
      expect(subscription.openInvoices.map(dueMinor)).toEqual(status === 'open' ? [1_998] : []);
      await expectSound(seller, externalId);
    },
  );
});

describe('a payment of a part before the end, whose credit was spent elsewhere before the revival', () => {
  /** 400 of a renewal came from the gateway, became credit at the end, and paid another subscription in part. */
  async function revived() {
    const seller = await newSeller('sandbox');
    const { id, externalId } = await brought(seller, 'past_due');
    const report = { ...(await reportOf(seller, externalId)), amountMinor: 400 };
    await settlement.recordPayment(report);
    await liveUntil(Date.now() + 25 * dayMs, () => stateOf(seller, externalId));
    expect([(await stateOf(seller, externalId)).status, await creditOf(seller, externalId)]).toEqual([
      'expired',
      400,
    ]);
    const planId = await newPlan(seller);
    const other = good(await subscribe(seller, { body: { externalId, planId } })).subscription._id;
    await transfer(seller, other, 599);
    good(await act(seller, 'cancel', other));
    expect(await creditOf(seller, externalId)).toBe(0);
    daysLater(1);
    await transfer(seller, id, 999);
    expect((await stateOf(seller, externalId, id)).status).toBe('active');
    return { seller, id, externalId, report };
  }

  test('is owed after a dispute, and no day is given twice', async () => {
    const { seller, id, externalId, report } = await revived();
    const { termEndMs } = await stateOf(seller, externalId, id);
    await lose(report);
    const after = await stateOf(seller, externalId, id);
    expect(after).toMatchObject({ status: 'past_due', termEndMs });
    expect(after.openInvoices.map(dueMinor)).toEqual([400]);
    await expectSound(seller, externalId);
    await win(report);
    expect(await stateOf(seller, externalId, id)).toMatchObject({
      status: 'active',
      termEndMs,
      openInvoices: [],
    });
    expect(await creditOf(seller, externalId)).toBe(0);
    await expectSound(seller, externalId);
  });
});
