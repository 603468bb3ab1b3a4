/** The price of a plan changes while subscriptions to it run. */
import { expect, test } from 'vitest';
import { call } from '../../../support/call.ts';
import { mailsTo } from '../../../support/mail/mailbox.ts';
import { transfer } from '../../../support/payments/payments.ts';
import { asOperator } from '../../../support/samples/operator.ts';
import {
  act,
  good,
  newClient,
  newPlan,
  newSeller,
  subscribe,
  subscribedByTransfer,
} from '../../../support/subscriptions/requests.ts';
import { daysLater, onTestClock, step } from '../../../support/subscriptions/steps.ts';
import { clientOf, expectSound, storedSubscription } from '../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../support/subscriptions/unrendered-pdfs.ts';

onTestClock();
leaveOutPdfs();

/** A paid subscription to a plan of EUR 10.00 a month. */
async function sold(plan: object = {}) {
  const seller = await newSeller();
  const [externalId, planId] = await Promise.all([
    newClient(seller),
    newPlan(seller, { price: 10, ...plan }),
  ]);
  const id = await subscribedByTransfer(seller, { externalId, planId });
  const reprice = async (body: object) =>
    good(
      await call('plans.update', await asOperator({ params: { id: seller.applicationId, planId }, body })),
    );
  /** The renewal step, a week before the end of the term. */
  const renew = async () => {
    daysLater(24);
    await step((await storedSubscription(seller, externalId, id)).subscription);
    const { invoices } = await storedSubscription(seller, externalId, id);
    const [newest] = await mailsTo((await clientOf(seller, externalId))?.email ?? '');
    return { invoice: invoices.at(-1), mail: newest?.text.replaceAll(/\s+/g, ' ') ?? '' };
  };
  return { seller, externalId, planId, id, reprice, renew };
}

test('the mail of a renewal at another price states both, from when, and how not to pay it', async () => {
  const { seller, externalId, reprice, renew } = await sold();
  await reprice({ price: 15 });
  const { invoice, mail } = await renew();
  expect(invoice?.totalMinor).toBe(1_500);
  expect(mail).toContain(
    'It changes on 10 April 2027 from EUR 10.00 for one month to EUR 15.00 for one month. If you do not want to pay the new price, cancel',
  );
  await expectSound(seller, externalId);
});

test('the mail of a renewal that credit pays at another price states both, too', async () => {
  const { seller, id, reprice, renew } = await sold();
  await transfer(seller, id, 2_000);
  await reprice({ price: 15 });
  const { invoice, mail } = await renew();
  expect([invoice?.status, invoice?.totalMinor]).toEqual(['paid', 1_500]);
  expect(mail).toContain(
    'It changes on 10 April 2027 from EUR 10.00 for one month to EUR 15.00 for one month. If you do not want the new price, write to',
  );
});

test('the mail of a renewal at the same price says nothing of one', async () => {
  const { reprice, renew } = await sold();
  await reprice({ name: 'Pro 2027' });
  expect((await renew()).mail).not.toContain('The price changes');
});

test('a price for new subscriptions leaves those that run at theirs, also when their quantity changes', async () => {
  const { seller, externalId, planId, id, reprice, renew } = await sold({ quantity: { min: 1, max: 9 } });
  expect((await reprice({ price: 15, priceChanges: 'new_subscriptions' })).plan.priceChanges).toBe(
    'new_subscriptions',
  );
  const other = await newClient(seller);
  good(await subscribe(seller, { body: { externalId: other, planId, quantity: 1 } }));
  expect((await storedSubscription(seller, other)).invoices[0]?.totalMinor).toBe(1_500);
  good(await act(seller, 'change', id, { planId, quantity: 2, when: 'period_end' }));
  const { invoice, mail } = await renew();
  expect(invoice?.totalMinor).toBe(2_000);
  expect(mail).not.toContain('The price changes');
  await expectSound(seller, externalId);
});

test('a price that was for new subscriptions reaches all once it is for the next term, and the mail says so', async () => {
  const { reprice, renew } = await sold();
  await reprice({ price: 15, priceChanges: 'new_subscriptions' });
  await reprice({ priceChanges: 'next_term' });
  const { invoice, mail } = await renew();
  expect(invoice?.totalMinor).toBe(1_500);
  expect(mail).toContain('The price changes');
});
