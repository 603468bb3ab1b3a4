/** The status of a payment that is split is that of its parts, whatever happened to it last. */
import { expect, test } from 'vitest';
import { call } from '../../../../support/call.ts';
import { transfer } from '../../../../support/payments/payments.ts';
import { callFor, good, newSeller } from '../../../../support/subscriptions/requests.ts';
import { brought, onTestClock } from '../../../../support/subscriptions/steps.ts';
import { expectSound, storedSubscription } from '../../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';

onTestClock();
leaveOutPdfs();

/** A transfer of which the invoice of one of two clients, of 9.99, has an amount. The rest waits. */
async function split(amountMinor: number, amount: number) {
  const seller = await newSeller();
  const [one, other] = await Promise.all([brought(seller, 'pending'), brought(seller, 'pending')]);
  const { payment } = await transfer(seller, '', amountMinor, { target: { waitingText: 'For two' } });
  const { invoices } = await storedSubscription(seller, one.externalId);
  const move = async (act: string, body: object) =>
    good(await call(`payments.${act}`, callFor(seller, payment.paymentId, body))).payment;
  const { invoiceId } = invoices[0] ?? {};
  const body = { invoices: [{ invoiceId, amount }], reason: 'For two.' };
  expect(await move('reallocate', body)).toMatchObject({ status: 'unapplied' });
  const isSound = () => expectSound(seller, one.externalId, other.externalId);
  return { other, move, isSound };
}

test('one that pays an invoice is applied, also when a part of another one comes last', async () => {
  const { other, move, isSound } = await split(1_498, 9.99);
  const payment = await move('apply', { subscriptionId: other.id });
  expect(payment).toMatchObject({ status: 'applied', applied: [{ amount: 9.99 }, { amount: 4.99 }] });
  await isSound();
});

test('one that pays a part of an invoice is partial, also when the rest is sent back', async () => {
  const { move, isSound } = await split(800, 3);
  expect(await move('return', {})).toMatchObject({
    status: 'partial',
    applied: [{ amount: 3 }],
    returned: 5,
  });
  await isSound();
});
