import { randomUUID } from 'node:crypto';
import { dueMinor } from '../../../../../functions/invoices/due.ts';
import type { PaymentEvent } from '../../../../../functions/payments/settle/gateway-reports.ts';
import { defined } from '../../../../../functions/shared/contract/defined.ts';
import { dayMs, hourMs } from '../../../../../functions/shared/runtime/clock.ts';
import {
  call,
  good,
  leaveOutPdfs,
  newSeller,
  newSubscription,
  noonMs,
  onTestClock,
  step,
  type Tenant,
} from '../../../../support/call.ts';
import { lose, refund, reportOf, settlement, transfer, win } from '../../../../support/payments/payments.ts';
import { liveUntil } from '../../../../support/subscriptions/courses.ts';
import { clientOf, expectSound, storedSubscription } from '../../../../support/subscriptions/stored-state.ts';

onTestClock();
leaveOutPdfs();

describe('a term that the credit of the client pays', () => {
  /** As the current subscription, the record and the lists show it. */
  const accessOf = async (seller: Tenant, externalId: string, id: string) => {
    const record = good(await seller.details(id)).subscription;
    for (const query of [{}, { status: record.status }, { externalId }]) {
      const { subscriptions } = good(
        await call('subscriptions.list', { headers: seller.headers, query }),
      ) as { subscriptions: (typeof record)[] };
      const listed = subscriptions.find(({ _id }) => _id === id);
      expect([query, listed?.status, listed?.access, listed?.entitled]).toEqual([
        query,
        record.status,
        record.access,
        record.entitled,
      ]);
    }
    return [good(await seller.current(externalId)).subscription.access, record.access];
  };

  test('gives full access while the step that renews it is late, for the terms that the credit pays', async () => {
    const { seller, id, externalId } = await newSubscription('active');
    await transfer(seller, id, 2 * 999);
    // Nothing runs: the terms end on 10 April, 10 May and 10 June.
    vi.setSystemTime(Date.parse('2027-04-11T12:00:00.000Z'));
    expect(await accessOf(seller, externalId, id)).toEqual(['full', 'full']);
    vi.setSystemTime(Date.parse('2027-06-10T11:00:00.000Z'));
    expect(await accessOf(seller, externalId, id)).toEqual(['full', 'full']);
    vi.setSystemTime(Date.parse('2027-06-11T12:00:00.000Z'));
    // The third renewal is overdue by a day: the dates of the old term say no more, until the step runs.
    await step(await seller.stateOf(externalId));
    expect(await accessOf(seller, externalId, id)).toEqual(['grace', 'grace']);
    await expectSound(seller, externalId);
  });
});

describe('a repeated activate', () => {
  const activating = (seller: Tenant, id: string, body: object, key?: string) =>
    call('payments.activate', {
      headers: { ...seller.headers, ...defined({ 'idempotency-key': key }) },
      params: { id },
      body,
    });

  test.each([
    ['an Idempotency-Key', {}, randomUUID()],
    ['the id of a payment', { paymentId: 'transfer-1' }, undefined],
    ['both and an amount', { paymentId: 'transfer-1', amount: 9.99 }, randomUUID()],
  ])('with %s answers as the first did, and takes no step that is due by then', async (_, body, key) => {
    const seller = await newSeller();
    const externalId = await seller.newClient();
    // Its renewal is due an hour after the payment.
    const planId = await seller.newPlan({ billingCycle: 'weekly', price: 9.99 });
    const { subscription } = good(await seller.subscribe({ body: { externalId, planId } }));
    const id = subscription._id as string;
    good(await seller.act('activate', id));
    await liveUntil(noonMs + 13 * dayMs + 23 * hourMs, () => seller.stateOf(externalId));
    const first = await activating(seller, id, body, key);
    expect(first.status).toBe(200);
    await liveUntil(Date.now() + 12 * hourMs, () => seller.stateOf(externalId));
    const before = await storedSubscription(seller, externalId);
    vi.setSystemTime(noonMs + 14 * dayMs + 22 * hourMs);
    const again = await activating(seller, id, body, key);
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(await storedSubscription(seller, externalId)).toEqual(before);
  });

  test('with the id of a payment and another amount is a conflict', async () => {
    const { seller, id } = await newSubscription('pending');
    good(await activating(seller, id, { paymentId: 'transfer-2', amount: 9.99 }));
    expect((await activating(seller, id, { paymentId: 'transfer-2', amount: 9.98 })).status).toBe(409);
  });
});

const creditOf = async (seller: Tenant, externalId: string) =>
  (await clientOf(seller, externalId))?.credit?.EUR ?? 0;

/** A subscription with a renewal that used the credit of a payment at the gateway, which is refunded then: 999 is owed. */
async function indebted() {
  const { seller, id, externalId } = await newSubscription('pending', 'sandbox');
  const report = { ...(await reportOf(seller, externalId)), amountMinor: 1_998 };
  await settlement.recordPayment(report);
  expect(await creditOf(seller, externalId)).toBe(999);
  const { termEndMs = 0 } = await seller.stateOf(externalId);
  await liveUntil(termEndMs - dayMs, () => seller.stateOf(externalId));
  expect(await seller.stateOf(externalId)).toMatchObject({ status: 'active', termIndex: 2 });
  await refund(report, 999);
  expect(await creditOf(seller, externalId)).toBe(-999);
  const { termEndMs: nextMs = 0 } = await seller.stateOf(externalId);
  await liveUntil(nextMs - 6 * dayMs, () => seller.stateOf(externalId));
  return { seller, id, externalId };
}

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
  'credit below 0, after the refund of a payment whose credit was used, is owed as before when the payment that paid it is %s',
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

const at = (iso: string) => Date.parse(iso);

async function paid(seller: Tenant, externalId: string, planId: string) {
  return seller.stateOf(externalId, await seller.subscribedByTransfer({ externalId, planId }));
}

test('a client who lapses and subscribes again within the grace, five times, pays for every day', async () => {
  const seller = await newSeller();
  const [externalId, planId] = await Promise.all([seller.newClient(), seller.newPlan()]);
  const terms = [await paid(seller, externalId, planId)];
  for (let i = 0; i < 5; i += 1) {
    await liveUntil((terms.at(-1)?.termEndMs ?? 0) + 6 * dayMs, () => seller.stateOf(externalId));
    terms.push(await paid(seller, externalId, planId));
  }
  for (const [i, { termStartMs }] of terms.entries())
    if (i > 0) expect(termStartMs).toBe(terms[i - 1]?.termEndMs);
  expect(terms.at(-1)?.termEndMs).toBe(at('2027-09-10T12:00:00.000Z'));
  await expectSound(seller, externalId);
});
