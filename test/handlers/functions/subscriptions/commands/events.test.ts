import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { PaymentEvent } from '../../../../../functions/payments/settle/gateway-reports.ts';
import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { dayMs } from '../../../../../functions/shared/runtime/duration.ts';
import { subscriptionStore } from '../../../../../functions/subscriptions/commands/subscription-store.ts';
import { appliedChange, decide } from '../../../../../functions/subscriptions/machine/decide.ts';
import { call } from '../../../../support/call.ts';
import { failTable } from '../../../../support/faults.ts';
import { loseAnswersTo, onceAnswered } from '../../../../support/interruptions/between.ts';
import { paying, reportOf } from '../../../../support/payments/payments.ts';
import { settlement } from '../../../../support/payments/reports.ts';
import { lose, refund, win } from '../../../../support/payments/reversals.ts';
import { putItem, updateItem } from '../../../../support/stored-items.ts';
import { liveUntil } from '../../../../support/subscriptions/courses.ts';
import {
  eventsAbout,
  expectMirrored,
  expectRegistered,
  typesOf,
  writtenEvents,
} from '../../../../support/subscriptions/events.ts';
import { invoiceRecord } from '../../../../support/subscriptions/records.ts';
import {
  act,
  callFor,
  current,
  good,
  newClient,
  newSeller,
  subscribe,
} from '../../../../support/subscriptions/requests.ts';
import { sampleContext } from '../../../../support/subscriptions/state-samples.ts';
import {
  daysLater,
  newSubscription,
  noonMs,
  onTestClock,
  step,
} from '../../../../support/subscriptions/steps.ts';
import { stateOf, storedSubscription } from '../../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';
import type { Tenant } from '../../../../support/tenants.ts';

onTestClock();
leaveOutPdfs();

interface Of {
  seller: Tenant;
  externalId: string;
  id?: string;
}

/** The types of the events about a subscription, and about each of its invoices, in the order of their sequence. */
async function story({
  seller,
  externalId,
  id,
}: Of): Promise<{ subscription: string[]; invoices: string[][] }> {
  const one = await storedSubscription(seller, externalId, id);
  const events = await writtenEvents(seller.applicationId);
  expectMirrored(events, one);
  const short = (about: string) => eventsAbout(events, about).map(({ type }) => type.split('.')[1] ?? '');
  return {
    subscription: short(one.subscription.subscriptionId),
    invoices: one.invoices.map(({ invoiceId }) => short(invoiceId)),
  };
}

describe('the events of a subscription', () => {
  test.each<[string, (report: PaymentEvent) => Promise<unknown>, string[]]>([
    ['disputed', lose, ['payment_reversed']],
    [
      'disputed, and the dispute is won',
      async (report) => [await lose(report), await win(report)],
      ['payment_reversed', 'paid'],
    ],
    ['disputed for all of dunning', lose, ['payment_reversed', 'uncollectible']],
    ['refunded', refund, ['refunded']],
  ])('tell that a paid invoice is %s', async (outcome, happens, told) => {
    const one = await paying();
    await settlement.recordPayment(one.report);
    await happens(one.report);
    if (outcome.endsWith('dunning'))
      await liveUntil(
        noonMs + 22 * dayMs,
        async () => (await storedSubscription(one.seller, one.externalId)).subscription,
      );
    expect((await story(one)).invoices[0]).toEqual(['issued', 'paid', ...told]);
  });

  test('tell of the two subscriptions of one change, in a group for each', async () => {
    const seller = await newSeller();
    const externalId = await newClient(seller);
    const first = good(await subscribe(seller, { body: { externalId } })).subscription._id;
    daysLater(1);
    const second = good(await subscribe(seller, { body: { externalId } })).subscription._id;
    const events = (await writtenEvents(seller.applicationId)).filter(
      ({ createdAtMs }) => createdAtMs > noonMs,
    );
    expect(typesOf(events)).toEqual([
      'invoice.issued',
      'invoice.voided',
      'subscription.cancelled',
      'subscription.created',
    ]);
    expect(new Set(events.map(({ groupId }) => groupId)).size).toBe(2);
    expect((await story({ seller, externalId, id: first })).subscription).toEqual(['created', 'cancelled']);
    expect((await story({ seller, externalId, id: second })).subscription).toEqual(['created']);
  });
});

describe('the data of an event', () => {
  test('is the object as the API shows it after the change', async () => {
    const { seller, id, externalId } = await newSubscription('active');
    good(await act(seller, 'cancel', id, { atPeriodEnd: true }));
    const events = await writtenEvents(seller.applicationId);
    const shown = good(await current(seller, externalId)).subscription;
    expect(eventsAbout(events, id).at(-1)).toMatchObject({
      type: 'subscription.cancellation_scheduled',
      sequence: 3,
      data: shown,
    });
    const read = good(await call('subscriptions.read', callFor(seller, id))).subscription;
    const [invoice] = read.invoices;
    expect(eventsAbout(events, invoice._id).at(-1)).toMatchObject({
      type: 'invoice.paid',
      sequence: 2,
      data: invoice,
    });
    expect(eventsAbout(events, invoice._id).at(-1)?.data).toEqual(invoice);
    const { invoices: _, timeline: __, revision: ___, ...subscription } = read;
    expect(eventsAbout(events, id).at(-1)?.data).toEqual(subscription);
  });

  test('of a payment whose invoice is paid already is the payment as the API shows it', async () => {
    const one = await paying('active');
    const paid = await reportOf(one.seller, one.externalId);
    const report = { ...paid, amountMinor: 1_000, currency: 'jpy' };
    expect(await settlement.recordPayment(report)).toBe('unapplied');
    expect(await settlement.recordPayment(report)).toBe('repeated');
    const all = (await writtenEvents(one.seller.applicationId)).filter(({ type }) =>
      type.startsWith('payment'),
    );
    expectRegistered(all);
    const events = all.filter(({ data }) => 'sourceId' in data && data.sourceId === report.paymentId);
    expect(events).toMatchObject([
      { type: 'payment.received', sequence: 1 },
      { type: 'payment.unapplied', sequence: 2 },
    ]);
    expect(events[1]?.data).toMatchObject({
      sourceId: report.paymentId,
      invoiceId: report.invoiceId,
      subscriptionId: one.id,
      externalId: one.externalId,
      status: 'unapplied',
      unappliedReason: 'duplicate',
      amount: 1_000,
      waiting: 1_000,
      currency: 'JPY',
    });
  });
});

describe('a change is announced once', () => {
  test('when the answer to its transaction is lost and the SDK sends it again', async () => {
    const { seller, id, externalId } = await newSubscription('pending');
    const lost = loseAnswersTo('TransactWriteItemsCommand', 1);
    const answer = await act(seller, 'activate', id).finally(lost.restore);
    expect([answer.status, lost.sent()]).toEqual([200, 2]);
    expect((await story({ seller, externalId })).subscription).toEqual(['created', 'activated']);
  });

  test('and not at all when its transaction fails', async () => {
    const { seller, id, externalId } = await newSubscription('pending');
    const fault = failTable((command) =>
      command === 'TransactWriteItemsCommand' ? new Error('killed') : undefined,
    );
    expect((await act(seller, 'activate', id).finally(fault.restore)).status).toBe(500);
    expect(await story({ seller, externalId })).toEqual({
      subscription: ['created'],
      invoices: [['issued']],
    });
  });
});

test('a subscription that is not as it was read fails the write: nothing is written', async () => {
  const { seller, id, externalId } = await newSubscription('active');
  const { subscription, invoices } = await storedSubscription(seller, externalId);
  const change = appliedChange(decide(subscription, { ...sampleContext('cancel'), nowMs: Date.now() }));
  if (change === undefined) throw new Error('No change');
  good(await act(seller, 'cancel', id, { atPeriodEnd: true }));
  expect(await subscriptionStore.write([change], invoices)).toBe(false);
  expect((await stateOf(seller, externalId)).status).toBe('active');
});

describe('an invoice', () => {
  test('that changes between its read and that of its subscription is read again', async () => {
    const { seller, id, externalId } = await newSubscription('active', 'sandbox');
    const report = await reportOf(seller, externalId);
    // The gateway's report reads the invoice first. Then the invoice of the next term is issued, and both change.
    daysLater(25);
    await step(await stateOf(seller, externalId));
    const renewal = await reportOf(seller, externalId);
    const read = onceAnswered(
      ({ command, pk }) => command === 'GetItemCommand' && pk === keys.subscriptionPartition(id),
      async () => {
        good(await act(seller, 'pause', id));
        good(await act(seller, 'resume', id));
      },
    );
    expect(await settlement.recordPayment(renewal).finally(read.restore)).toBe('applied');
    expect(read.happened()).toBe(true);
    expect(report.invoiceId).not.toBe(renewal.invoiceId);
    const { invoices } = await story({ seller, externalId });
    expect(invoices.at(-1)).toEqual(['issued', 'updated', 'paid']);
  });

  test('that is not as it was read fails the write: nothing is written', async () => {
    const { seller, externalId } = await newSubscription('pending');
    const { subscription, invoices } = await storedSubscription(seller, externalId);
    const change = appliedChange(decide(subscription, { ...sampleContext('cancel'), nowMs: Date.now() }));
    if (change === undefined) throw new Error('No change');
    const stale = invoices.map((invoice) => ({ ...invoice, eventCount: 7 }));
    expect(await subscriptionStore.write([change], stale)).toBe(false);
    expect((await stateOf(seller, externalId)).status).toBe('pending');
    expect(await subscriptionStore.write([change], invoices)).toBe(true);
  });

  test('beyond the latest three is read when it is paid, and each of twelve is announced when they are closed', async () => {
    const { seller, id, externalId } = await newSubscription('active');
    const { subscription, invoices } = await storedSubscription(seller, externalId);
    // Payments of a year were reversed.
    const reversed = Array.from({ length: 12 }, (_, i) =>
      invoiceRecord(subscription, i + 2, { invoiceId: `inv_${randomUUID()}`, reversed: true }),
    );
    await Promise.all(reversed.map((one) => putItem({ ...keys.invoice(id, one.n), ...one })));
    await updateItem(keys.subscription(seller.applicationId, externalId, id), {
      UpdateExpression: 'SET openInvoices = :open, invoiceCount = :count',
      ExpressionAttributeValues: {
        ':open': reversed.map(({ n, invoiceId, totalMinor, currency }) => ({
          n,
          invoiceId,
          totalMinor,
          currency,
        })),
        ':count': invoices.length + reversed.length,
      },
    });
    good(await act(seller, 'activate', id, { invoiceId: reversed[0]?.invoiceId }));
    vi.setSystemTime(noonMs + dayMs);
    good(await act(seller, 'cancel', id));
    const { invoices: told } = await story({ seller, externalId });
    expect(told).toEqual([['issued', 'paid'], ['paid'], ...Array(11).fill(['uncollectible'])]);
    const closing = (await writtenEvents(seller.applicationId)).filter(
      ({ createdAtMs }) => createdAtMs > noonMs,
    );
    // A group has at most ten events.
    expect([closing.length, new Set(closing.map(({ groupId }) => groupId)).size]).toEqual([12, 2]);
  });
});
