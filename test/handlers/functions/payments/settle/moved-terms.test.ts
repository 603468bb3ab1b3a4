/** Late payments that revive a subscription whose term has moved: a document never states a term that was not. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { creditNoteStore } from '../../../../../functions/invoices/credit-note-store.ts';
import { dayMs } from '../../../../../functions/shared/runtime/duration.ts';
import { call } from '../../../../support/call.ts';
import { transfer } from '../../../../support/payments/payments.ts';
import { liveUntil } from '../../../../support/subscriptions/courses.ts';
import {
  asSeller,
  callFor,
  good,
  newSeller,
  subscribedTo,
} from '../../../../support/subscriptions/requests.ts';
import { daysLater, noonMs, onTestClock } from '../../../../support/subscriptions/steps.ts';
import { expectSound, storedSubscription } from '../../../../support/subscriptions/stored-state.ts';
import { germanSeller, germanTax } from '../../../../support/subscriptions/taxed.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';
import type { Tenant } from '../../../../support/tenants.ts';

onTestClock();
leaveOutPdfs();

interface One {
  seller: Tenant;
  externalId: string;
  id: string;
}

const taxing = { seller: germanSeller, tax: germanTax };
const stored = ({ seller, externalId, id }: One) => storedSubscription(seller, externalId, id);

/** A renewal of 119.00, from 10 April to 10 May, that is uncollectible since the 1st of May. */
async function givenUp(settings: object = taxing): Promise<One> {
  const seller = await newSeller('none', { ...settings });
  const one = { seller, ...(await subscribedTo(seller, { price: 119 })) };
  await transfer(seller, one.id, 11_900);
  await liveUntil(noonMs + 53 * dayMs, async () => (await stored(one)).subscription);
  expect((await stored(one)).invoices).toMatchObject([{ status: 'paid' }, { status: 'uncollectible' }]);
  return one;
}

const pageOf = async ({ seller }: One, invoiceId = '') =>
  (
    await call('invoices.read', {
      headers: { ...asSeller(seller), accept: 'text/html' },
      params: { id: invoiceId },
    })
  ).text;

test('an uncollectible renewal whose term moved is cancelled, and issued anew with the term that is granted', async () => {
  const one = await givenUp();
  daysLater(5);
  const sourceId = randomUUID();
  await transfer(one.seller, one.id, 11_900, { sourceId });
  await transfer(one.seller, one.id, 11_900, { sourceId });
  const { subscription, invoices } = await stored(one);
  const creditNotes = await creditNoteStore.latest(one.id);
  expect(subscription).toMatchObject({ status: 'active', invoiceCount: 3 });
  const { termStartMs, termEndMs } = subscription;
  const [, former, again] = invoices;
  expect(former).toMatchObject({ status: 'void', settled: { cancelledMinor: 11_900 } });
  expect(former?.datesAtIssue).toBeUndefined();
  expect(again).toMatchObject({ status: 'paid', periodStartMs: termStartMs, periodEndMs: termEndMs });
  expect(again?.datesAtIssue).toBeUndefined();
  expect(again?.periodStartMs).not.toBe(former?.periodStartMs);
  expect(creditNotes).toMatchObject([{ reason: 'cancellation', invoiceN: 2, taxes: [{ taxMinor: 1_900 }] }]);
  expect(await pageOf(one, again?.invoiceId)).toContain('30 April 2027');
  expect(await pageOf(one, again?.invoiceId)).not.toContain('10 April 2027');
  const mails = (await stored(one)).outbox.filter((entry) => entry.kind === 'mail');
  expect(mails).toContainEqual(
    expect.objectContaining({ template: 'activated', invoiceN: 3, creditNoteNs: [1] }),
  );
  await expectSound(one.seller, one.externalId);
});

test('five reports of one payment at once issue it anew once', async () => {
  const one = await givenUp();
  daysLater(5);
  const sourceId = randomUUID();
  const reports = Array.from({ length: 5 }, () => transfer(one.seller, one.id, 11_900, { sourceId }));
  await Promise.allSettled(reports);
  const { subscription, invoices } = await stored(one);
  const creditNotes = await creditNoteStore.latest(one.id);
  expect(subscription).toMatchObject({ status: 'active', invoiceCount: 3 });
  expect(invoices.map(({ status }) => status)).toEqual(['paid', 'void', 'paid']);
  expect(creditNotes).toHaveLength(1);
  await expectSound(one.seller, one.externalId);
});

test('a payment that the seller books to the uncollectible invoice pays the new one', async () => {
  const one = await givenUp();
  daysLater(5);
  const other = { seller: one.seller, ...(await subscribedTo(one.seller, { price: 119 })) };
  const { payment } = await transfer(one.seller, other.id, 11_900);
  const { invoices: before } = await stored(one);
  const body = {
    invoices: [{ invoiceId: before[1]?.invoiceId, amount: 119 }],
    reason: 'The wrong reference.',
  };
  good(await call('payments.reallocate', callFor(one.seller, payment.paymentId, body)));
  const { subscription, invoices } = await stored(one);
  expect(subscription.status).toBe('active');
  expect(invoices.map(({ status }) => status)).toEqual(['paid', 'void', 'paid']);
});

test('one without tax is void without a document, and issued anew', async () => {
  const one = await givenUp({});
  daysLater(5);
  await transfer(one.seller, one.id, 11_900);
  const { invoices } = await stored(one);
  const creditNotes = await creditNoteStore.latest(one.id);
  expect(invoices.map(({ status }) => status)).toEqual(['paid', 'void', 'paid']);
  expect(creditNotes).toEqual([]);
  await expectSound(one.seller, one.externalId);
});

test('one that is paid in time keeps its term and its number', async () => {
  const one = await givenUp();
  daysLater(5);
  await transfer(one.seller, one.id, 11_900, { valueAtMs: noonMs + 50 * dayMs });
  const { subscription, invoices } = await stored(one);
  const creditNotes = await creditNoteStore.latest(one.id);
  expect(subscription).toMatchObject({ status: 'active', invoiceCount: 2 });
  expect(invoices).toMatchObject([{ status: 'paid' }, { status: 'paid', settled: { paidMinor: 11_900 } }]);
  expect(creditNotes).toEqual([]);
});
