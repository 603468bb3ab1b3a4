import { randomUUID } from 'node:crypto';
import type { PaymentEvent } from '../../../../../functions/payments/settle/gateway-reports.ts';
import { secondMs } from '../../../../../functions/shared/runtime/clock.ts';
import { leaveOutPdfs, newSubscription, onTestClock } from '../../../../support/call.ts';
import { dispute, paying, reportOf, settlement } from '../../../../support/payments/payments.ts';
import { stored } from '../../../../support/subscriptions/stored-state.ts';

onTestClock();
leaveOutPdfs();

const withdrawn = (report: PaymentEvent, more: object = {}) =>
  settlement.recordReversal({ ...report, ...dispute, eventId: `evt_${randomUUID()}`, ...more });
const won = (report: PaymentEvent, more: object = {}) => {
  const atMs = dispute.atMs + secondMs;
  return settlement.recordReinstatement({
    ...report,
    ...dispute,
    atMs,
    eventId: `evt_${randomUUID()}`,
    ...more,
  });
};

/** An active subscription that was paid at a gateway, and the event of that payment. */
async function paid() {
  const pending = await paying();
  await settlement.recordPayment(pending.report);
  return pending;
}

type Paid = Awaited<ReturnType<typeof paid>>;
const stateOf = async (one: Paid) => {
  const { subscription, invoices } = await stored(one);
  return [subscription.status, invoices.map(({ status }) => status).join()];
};
const eventsOf = async (one: Paid) => (await stored(one)).timeline.map(({ event }) => event);

test('a dispute that is won leaves the payment applied when it is reported before the withdrawal, and before the payment', async () => {
  const early = await paid();
  expect(await won(early.report)).toBe('recorded');
  expect(await withdrawn(early.report)).toBe('repeated');
  expect(await stateOf(early)).toEqual(['active', 'paid']);

  const { seller, id, externalId } = await newSubscription('pending', 'sandbox');
  const report = await reportOf(seller, externalId);
  const first = { seller, id, externalId, report };
  expect(await won(report)).toBe('waiting');
  expect(await withdrawn(report)).toBe('repeated');
  expect(await settlement.recordPayment(report)).toBe('applied');
  expect(await stateOf(first)).toEqual(['active', 'paid']);
  expect(await eventsOf(first)).toEqual(['start', 'payment']);
});
