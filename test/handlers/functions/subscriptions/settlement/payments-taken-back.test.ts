import { describe, expect, test, vi } from 'vitest';
import { dayMs, hourMs } from '../../../../../functions/shared/runtime/duration.ts';
import { waitingMinor } from '../../../../../functions/subscriptions/payments/payment.ts';
import { settlement } from '../../../../../functions/subscriptions/settlement/settlement.ts';
import { liveUntil } from '../../../../support/subscriptions/courses.ts';
import { typesOf, writtenEvents } from '../../../../support/subscriptions/events.ts';
import { paying, paymentOf } from '../../../../support/subscriptions/payments.ts';
import { lose, newEventId, refund, win } from '../../../../support/subscriptions/reversals.ts';
import { daysLater, onTestClock } from '../../../../support/subscriptions/steps.ts';
import { expectSound, stateOf, storedSubscription } from '../../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';

onTestClock();
leaveOutPdfs();

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
    expect((await stateOf(seller, externalId)).processing).toBeUndefined();
    await expectSound(seller, externalId);
  });
});

describe('V3: a refund by the seller', () => {
  test('in full makes the invoice refunded and keeps the term, without dunning', async () => {
    const { seller, externalId, report } = await paying();
    await settlement.recordPayment(report);
    const { termEndMs, timer } = await stateOf(seller, externalId);
    daysLater(1);
    expect(await refund(report)).toBe('applied');
    expect(await refund(report)).toBe('repeated');
    const { subscription, invoices, outbox } = await storedSubscription(seller, externalId);
    expect(subscription).toMatchObject({ status: 'active', termEndMs, timer, openInvoices: [] });
    expect(invoices).toMatchObject([{ status: 'refunded', receivedMinor: 0 }]);
    const templates = outbox.flatMap((entry) => (entry.kind === 'mail' ? entry.template : []));
    expect(templates).toContain('payment_refunded');
    expect(templates).not.toContain('payment_reversed');
    expect(await paymentOf(report)).toMatchObject({
      status: 'refunded',
      returnedMinor: 999,
      allocations: [],
    });
    await expectSound(seller, externalId);
  });

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
    expect(await paymentOf(report)).toMatchObject({ status: 'disputed', returnedMinor: 999 });
    expect(await win(report)).toBe('applied');
    expect(await win(report)).toBe('repeated');
    const { subscription, invoices } = await storedSubscription(seller, externalId);
    expect(subscription).toMatchObject({ status: 'active', openInvoices: [], creditNoteCount: 1 });
    expect(invoices).toMatchObject([{ status: 'paid', receivedMinor: 699 }]);
    expect(await paymentOf(report)).toMatchObject({ status: 'applied', returnedMinor: 300 });
    await refund(report, 400);
    expect(await paymentOf(report)).toMatchObject({ returnedMinor: 400 });
    await expectSound(seller, externalId);
  });
});

describe('V9, V10', () => {
  test('an unapplied payment that is refunded at the gateway is returned', async () => {
    const { seller, externalId, report } = await paying();
    await settlement.recordPayment(report);
    const second = { ...report, paymentId: 'pi_second', eventId: newEventId() };
    expect(await settlement.recordPayment(second)).toBe('unapplied');
    expect(await refund(second)).toBe('applied');
    const payment = await paymentOf(second);
    expect(payment).toMatchObject({ status: 'returned', returnedMinor: 999 });
    expect(waitingMinor(payment)).toBe(0);
    expect(await stateOf(seller, externalId)).toMatchObject({ status: 'active', openInvoices: [] });
    await expectSound(seller, externalId);
  });
});
