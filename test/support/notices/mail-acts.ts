/** Acts of a course that move money. */
import type { PaymentEvent } from '../../../functions/payments/settle/gateway-reports.ts';
import { dayMs, hourMs, minuteMs } from '../../../functions/shared/runtime/clock.ts';
import { good, noonMs } from '../call.ts';
import { dispute, newEventId, refund, reportOf, settlement } from '../payments/payments.ts';
import type { Act, Course } from './mail-courses.ts';

/** Reports a payment of the newest invoice of a course, and reads the mails. */
async function pay({ seller, externalId, reader }: Course, more: Partial<PaymentEvent> = {}) {
  const report = { ...(await reportOf(seller, externalId)), ...more };
  await settlement.recordPayment(report);
  await reader.read();
  return report;
}

/** A payment that is refunded a day later, as a whole unless `returned` says what of it. */
export const refunded =
  ({
    received = 999,
    returned,
    cancels = false,
  }: {
    received?: number;
    returned?: number;
    cancels?: boolean;
  } = {}): Act =>
  async (one) => {
    const report = await pay(one, { amountMinor: received });
    if (cancels) await one.command('cancel');
    vi.setSystemTime(Date.now() + dayMs);
    await refund(report, returned);
    await one.reader.read();
  };

/** A part of the first payment is refunded, when the renewal is due and its step is late. */
export const refundedBesideRenewal: Act = async (one) => {
  const report = await pay(one, { amountMinor: 999 });
  await one.until(20);
  vi.setSystemTime(noonMs + 27 * dayMs);
  await refund(report, 300);
  await one.reader.read();
};

export const refundedFirst: Act = async (one) => {
  const report = await reportOf(one.seller, one.externalId);
  await refund(report);
  await pay(one, report);
};

const disputeOf = ({ seller: { applicationId } }: Course, paymentId: string) => ({
  applicationId,
  paymentId,
  ...dispute,
});
const disputed = (one: Course, paymentId: string) =>
  settlement.recordReversal({ ...disputeOf(one, paymentId), eventId: newEventId() });

export const partDisputed: Act = async (one) => {
  const { paymentId } = await pay(one, { amountMinor: 500 });
  vi.setSystemTime(noonMs + hourMs);
  await disputed(one, paymentId);
  await one.reader.read();
};

/** The first of two invoices is disputed, the second is paid, and the dispute is won. */
export const disputeWon: Act = async (one) => {
  const { seller, externalId, reader } = one;
  const { paymentId } = await pay(one, await reportOf(seller, externalId, { n: 1 }));
  await one.until(25);
  await disputed(one, paymentId);
  await reader.read();
  await one.until(28);
  await pay(one, await reportOf(seller, externalId, { n: 2 }));
  await one.until(29);
  const won = { ...disputeOf(one, paymentId), eventId: 'evt_won', atMs: dispute.atMs + dayMs };
  await settlement.recordReinstatement(won);
  await reader.read();
};

export const subscribedAgain: Act = async ({ seller, externalId, reader }) => {
  const { subscription } = good(await seller.subscribe({ body: { externalId } }));
  await reader.read();
  vi.setSystemTime(Date.now() + minuteMs);
  good(await seller.act('activate', subscription._id));
  await reader.read();
};

export const changedTo =
  (plan: object, how: object = {}): Act =>
  async (one) =>
    one.command('change', { planId: await one.seller.newPlan(plan), ...how });
