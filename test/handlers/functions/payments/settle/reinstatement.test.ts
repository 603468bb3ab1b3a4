import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { PaymentEvent } from '../../../../../functions/payments/settle/gateway-reports.ts';
import { dayMs, secondMs } from '../../../../../functions/shared/runtime/duration.ts';
import { paying, reportOf } from '../../../../support/payments/payments.ts';
import { settlement } from '../../../../support/payments/reports.ts';
import { dispute } from '../../../../support/payments/reversals.ts';
import { stepsUntil } from '../../../../support/subscriptions/courses.ts';
import { current, good, subscribe } from '../../../../support/subscriptions/requests.ts';
import { newSubscription, noonMs, onTestClock } from '../../../../support/subscriptions/steps.ts';
import { expectSound, stored } from '../../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';

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

describe('a dispute that is won', () => {
  test('leaves the payment applied when it is reported before the withdrawal, and before the payment', async () => {
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

  test('ends only its own reversal: a refund or another dispute keeps the invoice open', async () => {
    const one = await paid();
    await withdrawn(one.report);
    await withdrawn(one.report, { cause: 'dp_2' });
    expect(await won(one.report)).toBe('recorded');
    expect(await stateOf(one)).toEqual(['past_due', 'open']);
    await withdrawn(one.report, { cause: 'refund' });
    expect(await won(one.report, { cause: 'dp_2' })).toBe('recorded');
    expect(await stateOf(one)).toEqual(['past_due', 'open']);
  });
});

describe('a dispute that is won after dunning ended the subscription', () => {
  /** Dunning that ends within the term. */
  async function expired() {
    const one = await paid();
    await withdrawn(one.report);
    await stepsUntil(one, noonMs + 22 * dayMs);
    expect(await stateOf(one)).toEqual(['expired', 'uncollectible']);
    return one;
  }

  test('makes it active again for the rest of its term, and it renews', async () => {
    const one = await expired();
    const { termEndMs = 0 } = (await stored(one)).subscription;
    expect(await won(one.report)).toBe('recorded');
    expect(await stateOf(one)).toEqual(['active', 'paid']);
    const { subscription } = await stored(one);
    expect(subscription).toMatchObject({ termEndMs, timer: { step: 'renewal_invoice' } });
    expect([subscription.endReason, subscription.endedAtMs]).toEqual([undefined, undefined]);
    expect((await current(one.seller, one.externalId)).body.subscription.access).toBe('full');
    await expectSound(one.seller, one.externalId);
    await stepsUntil(one, termEndMs - dayMs);
    expect(await stateOf(one)).toEqual(['active', 'paid,open']);
    await expectSound(one.seller, one.externalId);
  });

  test('pays only the invoice when the client has another subscription by then', async () => {
    const one = await expired();
    good(await subscribe(one.seller, { body: { externalId: one.externalId } }));
    expect(await won(one.report)).toBe('recorded');
    expect(await stateOf(one)).toEqual(['expired', 'paid']);
    await expectSound(one.seller, one.externalId);
  });
});
