import { randomUUID } from 'node:crypto';
import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { dayMs } from '../../../../../functions/shared/runtime/clock.ts';
import {
  call,
  daysLater,
  good,
  leaveOutPdfs,
  newSeller,
  newSubscription,
  noonMs,
  onTestClock,
  putItem,
  step,
  type Tenant,
  updateItem,
} from '../../../../support/call.ts';
import { failTable } from '../../../../support/faults.ts';
import { onceAnswered } from '../../../../support/interruptions/between.ts';
import { paying, reportOf, settlement } from '../../../../support/payments/payments.ts';
import {
  eventsAbout,
  expectMirrored,
  expectRegistered,
  typesOf,
  writtenEvents,
} from '../../../../support/subscriptions/events.ts';
import { invoiceRecord } from '../../../../support/subscriptions/records.ts';
import { storedSubscription } from '../../../../support/subscriptions/stored-state.ts';

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

test('the events tell of the two subscriptions of one change, in a group for each', async () => {
  const seller = await newSeller();
  const externalId = await seller.newClient();
  const first = good(await seller.subscribe({ body: { externalId } })).subscription._id;
  daysLater(1);
  const second = good(await seller.subscribe({ body: { externalId } })).subscription._id;
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

describe('the data of an event', () => {
  test('is the object as the API shows it after the change', async () => {
    const { seller, id, externalId } = await newSubscription('active');
    good(await seller.act('cancel', id, { atPeriodEnd: true }));
    const events = await writtenEvents(seller.applicationId);
    const shown = good(await seller.current(externalId)).subscription;
    expect(eventsAbout(events, id).at(-1)).toMatchObject({
      type: 'subscription.cancellation_scheduled',
      sequence: 3,
      data: shown,
    });
    const read = good(await call('subscriptions.read', seller.callFor(id))).subscription;
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

test('a change is announced once, and not at all when its transaction fails', async () => {
  const { seller, id, externalId } = await newSubscription('pending');
  const fault = failTable((command) =>
    command === 'TransactWriteItemsCommand' ? new Error('killed') : undefined,
  );
  expect((await seller.act('activate', id).finally(fault.restore)).status).toBe(500);
  expect(await story({ seller, externalId })).toEqual({
    subscription: ['created'],
    invoices: [['issued']],
  });
});

describe('an invoice', () => {
  test('that changes between its read and that of its subscription is read again', async () => {
    const { seller, id, externalId } = await newSubscription('active', 'sandbox');
    const report = await reportOf(seller, externalId);
    // The gateway's report reads the invoice first. Then the invoice of the next term is issued, and both change.
    daysLater(25);
    await step(await seller.stateOf(externalId));
    const renewal = await reportOf(seller, externalId);
    const read = onceAnswered(
      ({ command, pk }) => command === 'GetItemCommand' && pk === keys.subscriptionPartition(id),
      async () => {
        good(await seller.act('pause', id));
        good(await seller.act('resume', id));
      },
    );
    expect(await settlement.recordPayment(renewal).finally(read.restore)).toBe('applied');
    expect(read.happened()).toBe(true);
    expect(report.invoiceId).not.toBe(renewal.invoiceId);
    const { invoices } = await story({ seller, externalId });
    expect(invoices.at(-1)).toEqual(['issued', 'updated', 'paid']);
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
    good(await seller.act('activate', id, { invoiceId: reversed[0]?.invoiceId }));
    vi.setSystemTime(noonMs + dayMs);
    good(await seller.act('cancel', id));
    const { invoices: told } = await story({ seller, externalId });
    expect(told).toEqual([['issued', 'paid'], ['paid'], ...Array(11).fill(['uncollectible'])]);
    const closing = (await writtenEvents(seller.applicationId)).filter(
      ({ createdAtMs }) => createdAtMs > noonMs,
    );
    // A group has at most ten events.
    expect([closing.length, new Set(closing.map(({ groupId }) => groupId)).size]).toEqual([12, 2]);
  });
});
