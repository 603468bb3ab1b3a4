/** Payments that release 0.1.0 stored: at the gateway's id, without an amount, of one invoice. */
import { expect, test } from 'vitest';
import { keys } from '../../../../../functions/shared/contract/keys.ts';
import { getItem } from '../../../../../functions/shared/table/table.ts';
import { settlement } from '../../../../../functions/subscriptions/settlement/settlement.ts';
import { deleteItem, putItem } from '../../../../support/stored-items.ts';
import { paying, paymentOf } from '../../../../support/subscriptions/payments.ts';
import { lose, newEventId, refund, win } from '../../../../support/subscriptions/reversals.ts';
import { onTestClock } from '../../../../support/subscriptions/steps.ts';
import { expectSound, storedSubscription } from '../../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';

onTestClock();
leaveOutPdfs();

/** A subscription whose payment is stored as release 0.1.0 did. */
async function formerlyPaid() {
  const { seller, externalId, id, report } = await paying();
  await settlement.recordPayment(report);
  const { applicationId, paymentId, invoiceId } = report;
  await deleteItem(keys.payment(applicationId, (await paymentOf(report)).paymentId));
  const former = { applicationId, paymentId, invoiceId, status: 'applied', recordedAtMs: Date.now() };
  await putItem({ ...keys.payment(applicationId, paymentId), ...former });
  return {
    report,
    former: () => getItem(keys.payment(applicationId, paymentId)),
    stored: () => storedSubscription(seller, externalId, id),
    async state() {
      await expectSound(seller, externalId);
      const { subscription, invoices } = await storedSubscription(seller, externalId, id);
      return [subscription.status, ...invoices.map(({ status }) => status)];
    },
  };
}

test('is reported again: nothing changes, and it pays nothing twice', async () => {
  const { report, stored } = await formerlyPaid();
  const before = await stored();
  for (const record of ['recordPayment', 'recordProcessing', 'recordFailure'] as const)
    expect(await settlement[record]({ ...report, eventId: newEventId() })).toBe('repeated');
  expect(await stored()).toEqual(before);
  await expect(paymentOf(report)).rejects.toThrow('not recorded');
});

test('is disputed, and the dispute is won: as if it had not happened, and the payment has a record', async () => {
  const { report, state, stored, former } = await formerlyPaid();
  const { subscription: before } = await stored();
  await Promise.all([1, 2, 3].map(() => lose(report)));
  expect(await state()).toEqual(['past_due', 'open']);
  expect(await former()).toBeUndefined();
  const { amountMinor, ...disputed } = await paymentOf(report);
  expect(disputed).toMatchObject({ status: 'disputed', allocations: [], returnedMinor: amountMinor });
  await win(report);
  expect(await state()).toEqual(['active', 'paid']);
  expect((await stored()).subscription).toMatchObject({ termEndMs: before.termEndMs });
  expect(await paymentOf(report)).toMatchObject({
    status: 'applied',
    allocations: [{ amountMinor }],
    returnedMinor: 0,
  });
});

test('is refunded in part and then in whole: the invoice is refunded, without dunning', async () => {
  const { report, state } = await formerlyPaid();
  await refund(report, 400);
  expect(await state()).toEqual(['active', 'paid']);
  expect(await paymentOf(report)).toMatchObject({ status: 'applied', returnedMinor: 400 });
  await refund(report, report.amountMinor);
  expect(await state()).toEqual(['active', 'refunded']);
  expect(await paymentOf(report)).toMatchObject({ status: 'refunded', returnedMinor: report.amountMinor });
});
