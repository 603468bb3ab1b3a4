import * as clock from '../../../../../functions/shared/runtime/clock.ts';
import { dayMs, hourMs, minuteMs } from '../../../../../functions/shared/runtime/clock.ts';
import { good, leaveOutPdfs, newSeller, newSubscription, onTestClock } from '../../../../support/call.ts';
import { failTable } from '../../../../support/faults.ts';
import { pausedAt } from '../../../../support/interruptions/pause.ts';
import { newEventId, paying, paymentOf, settlement } from '../../../../support/payments/payments.ts';
import { goodPayment, recordPayment } from '../../../../support/samples/finance.ts';
import { liveUntil } from '../../../../support/subscriptions/courses.ts';
import { typesOf, writtenEvents } from '../../../../support/subscriptions/events.ts';
import { expectSound, itemsOf, storedSubscription } from '../../../../support/subscriptions/stored-state.ts';

onTestClock();
leaveOutPdfs();
afterEach(() => vi.restoreAllMocks());

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

describe('a payment reported by a gateway', () => {
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
      expect(await seller.stateOf(externalId)).toMatchObject({
        status: 'active',
        termIndex: 1,
      });
      await expectSound(seller, externalId);
    }
  });
});

test('V1: a direct debit that takes days holds the deadline of a pending subscription, and success pays', async () => {
  const { seller, externalId, report } = await paying();
  const { paymentDeadlineMs = 0 } = await seller.stateOf(externalId);
  vi.setSystemTime(paymentDeadlineMs - hourMs);
  expect(await settlement.recordProcessing(report)).toBe('processing');
  expect(await settlement.recordProcessing({ ...report, eventId: newEventId() })).toBe('repeated');
  expect((await paymentOf(report)).status).toBe('processing');
  const told = typesOf(await writtenEvents(seller.applicationId));
  expect(told.filter((type) => type === 'payment.processing')).toHaveLength(1);
  await liveUntil(Date.now() + 4 * dayMs, () => seller.stateOf(externalId));
  expect((await seller.stateOf(externalId)).status).toBe('pending');
  expect(await settlement.recordPayment({ ...report, eventId: newEventId() })).toBe('applied');
  expect(await seller.stateOf(externalId)).toMatchObject({ status: 'active', termStartMs: Date.now() });
  expect((await seller.stateOf(externalId)).processing).toEqual([]);
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
    good(await seller.subscribe());
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
