import { afterEach, describe, expect, test, vi } from 'vitest';
import { unappliedMinor } from '../../../../../functions/ledger/payment.ts';
import * as clock from '../../../../../functions/shared/runtime/clock.ts';
import { dayMs, hourMs, minuteMs } from '../../../../../functions/shared/runtime/duration.ts';
import type { Status } from '../../../../../functions/subscriptions/record/subscription.ts';
import { call } from '../../../../support/call.ts';
import { failTable } from '../../../../support/faults.ts';
import { pausedAt } from '../../../../support/interruptions/pause.ts';
import { paying, paymentOf, transfer } from '../../../../support/payments/payments.ts';
import { settlement } from '../../../../support/payments/reports.ts';
import { lose, newEventId, refund, win } from '../../../../support/payments/reversals.ts';
import { goodPayment, recordPayment } from '../../../../support/samples/finance.ts';
import { liveUntil } from '../../../../support/subscriptions/courses.ts';
import { typesOf, writtenEvents } from '../../../../support/subscriptions/events.ts';
import {
  act,
  callFor,
  details,
  good,
  newClient,
  newPlan,
  newSeller,
  subscribe,
  subscribedByTransfer,
} from '../../../../support/subscriptions/requests.ts';
import { brought, daysLater, newSubscription, onTestClock } from '../../../../support/subscriptions/steps.ts';
import {
  clientOf,
  expectSound,
  itemsOf,
  stateOf,
  storedSubscription,
} from '../../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';
import type { Tenant } from '../../../../support/tenants.ts';

onTestClock();
leaveOutPdfs();
afterEach(() => vi.restoreAllMocks());

const unappliedOf = async (seller: Tenant, externalId: string) =>
  (await storedSubscription(seller, externalId)).timeline.flatMap(({ unapplied }) => unapplied ?? []);
/** Kills work at each of its calls to the table, until it makes fewer. */
function* fromEveryCall(): Generator<(work: () => Promise<unknown>) => Promise<void>> {
  for (let at = 0, isKilled = true; isKilled; at += 1) {
    isKilled = false;
    yield async (work) => {
      const fault = failTable((_, i) => {
        isKilled ||= i >= at;
        return i >= at ? new Error('killed') : undefined;
      });
      await work()
        .catch(() => undefined)
        .finally(fault.restore);
    };
  }
}
const statusOf = async (seller: Tenant, externalId: string) => (await stateOf(seller, externalId)).status;

describe('a payment reported by a gateway', () => {
  test('is recorded on the timeline as unapplied when it has another currency', async () => {
    const { seller, id, externalId, report } = await paying();
    expect(await settlement.recordPayment({ ...report, currency: 'USD' })).toBe('unapplied');
    expect(await statusOf(seller, externalId)).toBe('pending');
    const { timeline } = good(await details(seller, id)).subscription;
    expect(timeline.at(-1)).toMatchObject({
      event: 'payment_unapplied',
      unapplied: { paymentId: expect.stringMatching(/^pay_/) },
    });
    expect(await settlement.recordPayment({ ...report, currency: 'USD' })).toBe('repeated');
    await expectSound(seller, externalId);
  });

  test.each<[Status, 'cancel' | 'pause' | undefined]>([
    ['pending', 'cancel'],
    ['active', 'pause'],
  ])(
    'is recorded as unapplied and changes nothing else while the subscription is %s, after: %s',
    async (status, first) => {
      const { seller, id, externalId, report } = await paying(status);
      if (first) good(await act(seller, first, id));
      const before = await stateOf(seller, externalId);
      expect(await settlement.recordPayment(report)).toBe('unapplied');
      const subscription = await stateOf(seller, externalId);
      expect({ ...subscription, revision: 0, timerVersion: 0 }).toEqual({
        ...before,
        revision: 0,
        timerVersion: 0,
      });
      expect(await unappliedOf(seller, externalId)).toHaveLength(1);
      await expectSound(seller, externalId);
    },
  );

  test('is unknown, and not recorded, for an invoice of another application or one that does not exist', async () => {
    const { seller, externalId, report } = await paying();
    const other = await newSeller('sandbox');
    const before = await itemsOf(seller, externalId);
    expect(await settlement.recordPayment({ ...report, applicationId: other.applicationId })).toBe('unknown');
    expect(await settlement.recordPayment({ ...report, invoiceId: 'inv_00000000000000000000000000' })).toBe(
      'unknown',
    );
    expect(await itemsOf(seller, externalId)).toEqual(before);
  });

  test('is applied once when its first delivery fails at any call to the table', async () => {
    for (const kill of fromEveryCall()) {
      const { seller, externalId, report } = await paying();
      await kill(() => settlement.recordPayment(report));
      await settlement.recordPayment(report);
      expect(await stateOf(seller, externalId)).toMatchObject({
        status: 'active',
        termIndex: 1,
      });
      await expectSound(seller, externalId);
    }
  });
});

describe('a reversed payment', () => {
  test('is reversed when the reversal is reported first and the delivery of the payment fails at any call to the table', async () => {
    for (const kill of fromEveryCall()) {
      const { seller, externalId, report } = await paying();
      await lose(report);
      await kill(() => settlement.recordPayment(report));
      await settlement.recordPayment(report);
      expect(await statusOf(seller, externalId)).toBe('past_due');
      await expectSound(seller, externalId);
    }
  });
});

describe('V1: a direct debit that takes days', () => {
  test('holds the deadline of a pending subscription, and success pays', async () => {
    const { seller, externalId, report } = await paying();
    const { paymentDeadlineMs = 0 } = await stateOf(seller, externalId);
    vi.setSystemTime(paymentDeadlineMs - hourMs);
    expect(await settlement.recordProcessing(report)).toBe('processing');
    expect(await settlement.recordProcessing({ ...report, eventId: newEventId() })).toBe('repeated');
    expect((await paymentOf(report)).status).toBe('processing');
    const told = typesOf(await writtenEvents(seller.applicationId));
    expect(told.filter((type) => type === 'payment.processing')).toHaveLength(1);
    await liveUntil(Date.now() + 4 * dayMs, () => stateOf(seller, externalId));
    expect((await stateOf(seller, externalId)).status).toBe('pending');
    expect(await settlement.recordPayment({ ...report, eventId: newEventId() })).toBe('applied');
    expect(await stateOf(seller, externalId)).toMatchObject({ status: 'active', termStartMs: Date.now() });
    expect((await stateOf(seller, externalId)).processing).toEqual([]);
    await expectSound(seller, externalId);
  });
});

describe('V3: a refund by the seller', () => {
  test('that is reported before the payment refunds it once it arrives', async () => {
    const { seller, externalId, report } = await paying();
    expect(await refund(report)).toBe('waiting');
    await settlement.recordPayment(report);
    expect((await storedSubscription(seller, externalId)).invoices).toMatchObject([{ status: 'refunded' }]);
    await expectSound(seller, externalId);
  });
});

describe('a refund in part, and a dispute', () => {
  test('during it: a win restores only what was not refunded, however often either is reported', async () => {
    const { seller, externalId, report } = await paying();
    await settlement.recordPayment(report);
    await lose(report);
    await refund(report, 300);
    await refund(report, 300);
    expect(await paymentOf(report)).toMatchObject({ status: 'disputed', disputedMinor: 699 });
    expect(await win(report)).toBe('recorded');
    expect(await win(report)).toBe('repeated');
    const { subscription, invoices } = await storedSubscription(seller, externalId);
    expect(subscription).toMatchObject({ status: 'active', openInvoices: [], creditNoteCount: 1 });
    expect(invoices).toMatchObject([{ status: 'paid', settled: { paidMinor: 999, refundedMinor: 300 } }]);
    expect(await paymentOf(report)).toMatchObject({ status: 'applied', refundedMinor: 300 });
    await refund(report, 400);
    expect(await paymentOf(report)).toMatchObject({ refundedMinor: 400 });
    await expectSound(seller, externalId);
  });
});

describe('V9, V10', () => {
  test('an unapplied payment that is refunded at the gateway is refunded', async () => {
    const { seller, externalId, report } = await paying();
    await settlement.recordPayment(report);
    const second = { ...report, paymentId: 'pi_second', eventId: newEventId() };
    expect(await settlement.recordPayment(second)).toBe('unapplied');
    expect(await refund(second)).toBe('recorded');
    const payment = await paymentOf(second);
    expect(payment).toMatchObject({ status: 'refunded', refundedMinor: 999 });
    expect(unappliedMinor(payment)).toBe(0);
    expect(await stateOf(seller, externalId)).toMatchObject({ status: 'active', openInvoices: [] });
    await expectSound(seller, externalId);
  });
});

/** An active subscription with two open invoices, of 21.01 and 10.50 EUR, for two changes of plan. */
async function twiceChanged() {
  const seller = await newSeller();
  const [externalId, planId, dearer, dearest] = await Promise.all([
    newClient(seller),
    newPlan(seller, { price: 31 }),
    newPlan(seller, { name: 'Dearer', price: 62.01 }),
    newPlan(seller, { name: 'Dearest', price: 77.51 }),
  ]);
  const id = await subscribedByTransfer(seller, { externalId, planId });
  daysLater(10);
  for (const next of [dearer, dearest]) good(await act(seller, 'change', id, { planId: next }));
  const { openInvoices } = await stateOf(seller, externalId);
  expect(openInvoices.map(({ totalMinor }) => totalMinor)).toEqual([2_101, 1_050]);
  return { seller, id, externalId };
}

test.each([
  ['pays both, and one cent is left', 3_152, [2_101, 1_050], 1],
  ['falls one cent short', 3_150, [2_101, 1_049], 0],
])('a transfer over two invoices %s', async (_, amountMinor, applied, creditMinor) => {
  const { seller, id, externalId } = await twiceChanged();
  const { payment } = await transfer(seller, id, amountMinor);
  expect(payment.allocations.map((one) => one.amountMinor)).toEqual(applied);
  expect(payment).toMatchObject({ status: 'applied', creditedMinor: creditMinor, returnedMinor: 0 });
  expect((await clientOf(seller, externalId))?.credit?.EUR ?? 0).toBe(creditMinor);
  const { invoices } = await storedSubscription(seller, externalId);
  expect(invoices.slice(1).map(({ settled }) => settled?.paidMinor)).toEqual(applied);
  await expectSound(seller, externalId);
});

test('a payment that meets another change of its subscription is applied to the subscription after it', async () => {
  const { seller, id, externalId } = await newSubscription('pending');
  const { result, isReached } = await pausedAt(
    'TransactWriteItemsCommand',
    () => act(seller, 'activate', id),
    async () =>
      good(await act(seller, 'update', id, { autoRenew: false, reason: 'The client asked for it' })),
  );
  expect([isReached, result.status]).toEqual([true, 200]);
  const { subscription } = await storedSubscription(seller, externalId);
  expect(subscription).toMatchObject({ status: 'active', autoRenew: false, openInvoices: [] });
  await expectSound(seller, externalId);
});

test('a payment whose invoice gets no number for too many others is a conflict, and the repeat is applied', async () => {
  // The payment of a trial issues its invoice, with the next number of the seller.
  const { seller, id, externalId } = await newSubscription('trialing', 'none', {
    invoices: { numbering: 'seller' },
  });
  const body = goodPayment({ reference: undefined, subscriptionId: id });
  const pay = () => recordPayment(seller, body);
  const { result, isReached } = await pausedAt('TransactWriteItemsCommand', pay, async () => {
    good(await subscribe(seller));
    // The time for retries is over.
    vi.spyOn(clock, 'elapsedMs').mockReturnValue(minuteMs);
  });
  expect([isReached, result.status, result.body.error]).toEqual([true, 409, 'conflict']);
  const { subscription, timeline } = await storedSubscription(seller, externalId);
  expect(subscription.status).toBe('trialing');
  expect(timeline.map(({ event }) => event)).not.toContain('payment_unapplied');
  const { payment } = good(await pay());
  expect(payment).toMatchObject({ status: 'applied', waiting: 0 });
  await expectSound(seller, externalId);
});

/** A transfer of which the invoice of one of two clients, of 9.99, has an amount. The rest waits. */
async function split(amountMinor: number, amount: number) {
  const seller = await newSeller();
  const [one, other] = await Promise.all([brought(seller, 'pending'), brought(seller, 'pending')]);
  const { payment } = await transfer(seller, '', amountMinor, { target: { waitingText: 'For two' } });
  const { invoices } = await storedSubscription(seller, one.externalId);
  const move = async (act: string, body: object) =>
    good(await call(`payments.${act}`, callFor(seller, payment.paymentId, body))).payment;
  const { invoiceId } = invoices[0] ?? {};
  const body = { invoices: [{ invoiceId, amount }], reason: 'For two.' };
  expect(await move('reallocate', body)).toMatchObject({ status: 'unapplied' });
  const isSound = () => expectSound(seller, one.externalId, other.externalId);
  return { other, move, isSound };
}

test('one that pays an invoice is applied, also when a part of another one comes last', async () => {
  const { other, move, isSound } = await split(1_498, 9.99);
  const payment = await move('apply', { subscriptionId: other.id });
  expect(payment).toMatchObject({ status: 'applied', applied: [{ amount: 9.99 }, { amount: 4.99 }] });
  await isSound();
});

test('one that pays a part of an invoice is partial, also when the rest is sent back', async () => {
  const { move, isSound } = await split(800, 3);
  expect(await move('return', {})).toMatchObject({
    status: 'partial',
    applied: [{ amount: 3 }],
    returned: 5,
  });
  await isSound();
});
