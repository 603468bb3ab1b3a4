import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { dayMs } from '../../../../functions/shared/runtime/duration.ts';
import { type PaymentEvent, settlement } from '../../../../functions/subscriptions/engine/settlement.ts';
import type { Status } from '../../../../functions/subscriptions/lifecycle/subscription.ts';
import { failTable } from '../../../support/faults.ts';
import { expectSound, itemsOf, kept } from '../../../support/subscription-state.ts';
import { brought, noonMs, onTestClock, step } from '../../../support/subscription-world.ts';
import { act, current, details, good, newSeller, subscribe } from '../../../support/subscriptions.ts';
import type { Tenant } from '../../../support/tenants.ts';

onTestClock();

/** A subscription through the sandbox, and the report of a payment of its newest invoice. */
async function paying(status: Status = 'pending') {
  const seller = await newSeller('sandbox');
  const { id, externalId } = await brought(seller, status);
  return { seller, id, externalId, report: await reportOf(seller, externalId) };
}

async function reportOf(
  { applicationId }: Tenant,
  externalId: string,
  { n, id }: { n?: number; id?: string } = {},
): Promise<PaymentEvent> {
  const { invoices } = await kept({ applicationId }, externalId, id);
  const {
    invoiceId = '',
    totalMinor = 0,
    currency = '',
  } = invoices.findLast((one) => n === undefined || one.n === n) ?? {};
  const paymentId = `pay_${randomUUID()}`;
  const eventId = `evt_${randomUUID()}`;
  return { applicationId, invoiceId, paymentId, eventId, amountMinor: totalMinor, currency };
}

const unappliedOf = async (seller: Tenant, externalId: string) =>
  (await kept(seller, externalId)).timeline.flatMap(({ unapplied }) => unapplied ?? []);
const statusOf = async (seller: Tenant, externalId: string) =>
  (await kept(seller, externalId)).subscription.status;

describe('a payment that a gateway reports', () => {
  test('buys the term, with its name on the invoice', async () => {
    const { seller, externalId, report } = await paying();
    expect(await settlement.recordPayment(report)).toBe('applied');
    const { subscription, invoices } = await kept(seller, externalId);
    expect(subscription).toMatchObject({ status: 'active', termStartMs: noonMs });
    expect(invoices).toMatchObject([{ status: 'paid', paymentId: report.paymentId }]);
  });

  test.each([
    ['the same event', {}],
    ['another event of the same payment', { eventId: 'evt_other' }],
  ])('is taken once, repeated as %s', async (_, more) => {
    const { seller, externalId, report } = await paying();
    await settlement.recordPayment(report);
    const before = await itemsOf(seller, externalId);
    expect(await settlement.recordPayment({ ...report, ...more })).toBe('repeated');
    expect(await itemsOf(seller, externalId)).toEqual(before);
  });

  test('is taken once of twenty reports at once', async () => {
    const { seller, externalId, report } = await paying();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, i) => settlement.recordPayment({ ...report, eventId: `evt_${i % 4}` })),
    );
    expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'repeated')).toHaveLength(19);
    expect((await kept(seller, externalId)).subscription).toMatchObject({ status: 'active', terms: 1 });
    await expectSound(seller, externalId);
  });

  test('of two at once for one invoice buys once; the other has to be given back', async () => {
    const { seller, externalId, report } = await paying();
    const second = { ...report, paymentId: 'pay_second', eventId: 'evt_second' };
    const outcomes = await Promise.all([settlement.recordPayment(report), settlement.recordPayment(second)]);
    expect(outcomes.toSorted()).toEqual(['applied', 'unapplied']);
    expect(await unappliedOf(seller, externalId)).toHaveLength(1);
    expect((await kept(seller, externalId)).subscription.termIndex).toBe(1);
  });

  test.each<[string, Partial<PaymentEvent>]>([
    ['another amount', { amountMinor: 998 }],
    ['more', { amountMinor: 1000 }],
    ['another currency', { currency: 'USD' }],
  ])('of %s buys nothing, and is kept on the timeline', async (_, more) => {
    const { seller, id, externalId, report } = await paying();
    expect(await settlement.recordPayment({ ...report, ...more })).toBe('unapplied');
    expect(await statusOf(seller, externalId)).toBe('pending');
    const { timeline } = good(await details(seller, id)).subscription;
    expect(timeline.at(-1)).toMatchObject({
      event: 'payment_unapplied',
      unapplied: { paymentId: report.paymentId },
    });
    expect(await settlement.recordPayment({ ...report, ...more })).toBe('repeated');
    await expectSound(seller, externalId);
  });

  test.each<[Status, 'cancel' | 'pause' | undefined]>([
    ['pending', 'cancel'],
    ['active', undefined],
    ['active', 'pause'],
    ['active', 'cancel'],
    ['expired', undefined],
  ])('while %s, then %s, buys nothing and changes nothing else', async (status, first) => {
    const { seller, id, externalId, report } = await paying(status);
    if (first) good(await act(seller, first, id));
    const before = (await kept(seller, externalId)).subscription;
    expect(await settlement.recordPayment(report)).toBe('unapplied');
    const { subscription } = await kept(seller, externalId);
    expect({ ...subscription, revision: 0, timerVersion: 0 }).toEqual({
      ...before,
      revision: 0,
      timerVersion: 0,
    });
    expect(await unappliedOf(seller, externalId)).toHaveLength(1);
    await expectSound(seller, externalId);
  });

  test('buys nothing beside one that runs', async () => {
    const seller = await newSeller('sandbox');
    const { id, externalId } = await brought(seller, 'trialing');
    const { subscription } = good(await subscribe(seller, { body: { externalId } }));
    const report = await reportOf(seller, externalId, { id: subscription._id });
    good(await act(seller, 'activate', id));
    expect(await settlement.recordPayment(report)).toBe('unapplied');
    expect((await kept(seller, externalId, subscription._id)).subscription.endReason).toBe('superseded');
    await expectSound(seller, externalId);
  });

  test('of another application, or for no invoice, is unknown, and nothing is kept', async () => {
    const { seller, externalId, report } = await paying();
    const other = await newSeller('sandbox');
    const before = await itemsOf(seller, externalId);
    expect(await settlement.recordPayment({ ...report, applicationId: other.applicationId })).toBe('unknown');
    expect(await settlement.recordPayment({ ...report, invoiceId: 'inv_00000000000000000000000000' })).toBe(
      'unknown',
    );
    expect(await itemsOf(seller, externalId)).toEqual(before);
  });

  test('is taken once, wherever its report breaks off', async () => {
    for (let index = 0; index < 12; index += 1) {
      const { seller, externalId, report } = await paying();
      const fault = failTable((_, i) => (i >= index ? new Error('killed') : undefined));
      await settlement
        .recordPayment(report)
        .catch(() => undefined)
        .finally(fault.restore);
      await settlement.recordPayment(report);
      expect((await kept(seller, externalId)).subscription).toMatchObject({ status: 'active', terms: 1 });
      await expectSound(seller, externalId);
    }
  });
});

describe('a payment that is taken back', () => {
  test('opens its invoice again and begins dunning; paid again, the end is where it was', async () => {
    const { seller, externalId, report } = await paying();
    await settlement.recordPayment(report);
    const { termEndMs } = (await kept(seller, externalId)).subscription;
    vi.setSystemTime(noonMs + 5 * dayMs);
    expect(await settlement.recordReversal(report)).toBe('repeated');
    expect(await settlement.recordReversal({ ...report, eventId: 'evt_back' })).toBe('applied');
    const { subscription, invoices } = await kept(seller, externalId);
    expect(subscription).toMatchObject({
      status: 'past_due',
      termEndMs,
      dunning: { fromMs: Date.now(), reminders: 0 },
    });
    expect(invoices).toMatchObject([{ status: 'open', reversed: true }]);
    expect((await current(seller, externalId)).body.subscription.access).toBe('grace');
    await expectSound(seller, externalId);
    const again = await reportOf(seller, externalId);
    expect(await settlement.recordPayment(again)).toBe('applied');
    expect((await kept(seller, externalId)).subscription).toMatchObject({ status: 'active', termEndMs });
    await expectSound(seller, externalId);
  });

  test('twice, by the same and by another report, at once or not, is taken back once', async () => {
    const { seller, externalId, report } = await paying();
    await settlement.recordPayment(report);
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        settlement.recordReversal({ ...report, eventId: `evt_back_${i % 2}` }),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(1);
    expect(await settlement.recordReversal({ ...report, eventId: 'evt_back_9' })).toBe('repeated');
    expect((await kept(seller, externalId)).subscription.openInvoices).toHaveLength(1);
    await expectSound(seller, externalId);
  });

  test('before it was reported waits for the report, and is done with it', async () => {
    const { seller, externalId, report } = await paying();
    expect(await settlement.recordReversal({ ...report, eventId: 'evt_back' })).toBe('waiting');
    expect(await statusOf(seller, externalId)).toBe('pending');
    await settlement.recordPayment(report);
    expect((await kept(seller, externalId)).subscription).toMatchObject({ status: 'past_due' });
    expect((await kept(seller, externalId)).invoices).toMatchObject([{ status: 'open', reversed: true }]);
    await expectSound(seller, externalId);
  });

  test('before it was reported is not forgotten, wherever the report breaks off', async () => {
    for (let index = 0; index < 16; index += 1) {
      const { seller, externalId, report } = await paying();
      await settlement.recordReversal({ ...report, eventId: `evt_back_${index}` });
      const fault = failTable((_, i) => (i >= index ? new Error('killed') : undefined));
      await settlement
        .recordPayment(report)
        .catch(() => undefined)
        .finally(fault.restore);
      await settlement.recordPayment(report);
      expect(await statusOf(seller, externalId), `call ${index}`).toBe('past_due');
      await expectSound(seller, externalId);
    }
  });

  test('while another invoice is open too: it runs again once both are paid, its end unchanged by the first', async () => {
    const { seller, externalId, report } = await paying();
    await settlement.recordPayment(report);
    const { termEndMs = 0 } = (await kept(seller, externalId)).subscription;
    vi.setSystemTime(termEndMs - 5 * dayMs);
    await step((await kept(seller, externalId)).subscription);
    expect((await kept(seller, externalId)).invoices.map(({ status }) => status)).toEqual(['paid', 'open']);
    await settlement.recordReversal({ ...report, eventId: 'evt_back' });
    expect((await kept(seller, externalId)).subscription).toMatchObject({ status: 'past_due', termEndMs });
    await settlement.recordPayment(await reportOf(seller, externalId, { n: 1 }));
    expect((await kept(seller, externalId)).subscription).toMatchObject({ status: 'past_due', termEndMs });
    await settlement.recordPayment(await reportOf(seller, externalId, { n: 2 }));
    const { subscription } = await kept(seller, externalId);
    expect(subscription).toMatchObject({ status: 'active', termStartMs: termEndMs });
    expect(subscription.dunning).toBeUndefined();
    await expectSound(seller, externalId);
  });

  test('in part paid again, it leaves what waits beside it alone', async () => {
    const { seller, externalId, report, id } = await paying();
    await settlement.recordPayment(report);
    const { termEndMs = 0 } = (await kept(seller, externalId)).subscription;
    vi.setSystemTime(termEndMs - 5 * dayMs);
    await step((await kept(seller, externalId)).subscription);
    await settlement.recordReversal({ ...report, eventId: 'evt_back' });
    const { invoices } = await kept(seller, externalId, id);
    const { subscription: beside } = good(await subscribe(seller, { body: { externalId } }));
    good(await act(seller, 'activate', id, { invoiceId: invoices[0]?.invoiceId }));
    expect((await kept(seller, externalId, id)).subscription.status).toBe('past_due');
    expect((await kept(seller, externalId, beside._id)).subscription.status).toBe('pending');
    await expectSound(seller, externalId);
  });

  test('after the end is noted: nobody is asked for it again', async () => {
    const { seller, id, externalId, report } = await paying();
    await settlement.recordPayment(report);
    good(await act(seller, 'cancel', id));
    expect(await settlement.recordReversal({ ...report, eventId: 'evt_back' })).toBe('applied');
    const { subscription, invoices } = await kept(seller, externalId);
    expect(subscription).toMatchObject({ status: 'cancelled', open: [] });
    expect(invoices).toMatchObject([{ status: 'uncollectible', reversed: true }]);
    await expectSound(seller, externalId);
  });

  // BUG: a debt from a pause is never asked for; the subscription runs on. Take '.fails' away once it is mended.
  test('while paused is owed after the pause: the subscription is overdue once it is resumed', async () => {
    const { seller, id, externalId, report } = await paying();
    await settlement.recordPayment(report);
    good(await act(seller, 'pause', id));
    expect(await settlement.recordReversal({ ...report, eventId: 'evt_back' })).toBe('applied');
    expect(await statusOf(seller, externalId)).toBe('paused');
    good(await act(seller, 'resume', id));
    expect(await statusOf(seller, externalId)).toBe('past_due');
  });
});
