/** Plans whose price changes while subscriptions to them run, free plans, and clients who move. */

import { defined } from '../../../../functions/shared/contract/defined.ts';
import {
  call,
  daysLater,
  type Gateway,
  germanSeller,
  germanTax,
  good,
  goodClient,
  leaveOutPdfs,
  newSeller,
  noonMs,
  onTestClock,
  step,
} from '../../../support/call.ts';
import { mailsTo } from '../../../support/mail/mailbox.ts';
import { transfer } from '../../../support/payments/payments.ts';
import { asOperator } from '../../../support/samples/operator.ts';
import { clientOf, expectSound, storedSubscription } from '../../../support/subscriptions/stored-state.ts';

onTestClock();
leaveOutPdfs();

/** A paid subscription to a plan of EUR 10.00 a month. */
async function sold(plan: object = {}) {
  const seller = await newSeller();
  const [externalId, planId] = await Promise.all([
    seller.newClient(),
    seller.newPlan({ price: 10, ...plan }),
  ]);
  const id = await seller.subscribedByTransfer({ externalId, planId });
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
  const other = await seller.newClient();
  good(await seller.subscribe({ body: { externalId: other, planId, quantity: 1 } }));
  expect((await storedSubscription(seller, other)).invoices[0]?.totalMinor).toBe(1_500);
  good(await seller.act('change', id, { planId, quantity: 2, when: 'period_end' }));
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

async function newFree({
  gateway = 'none',
  trialPeriodDays = 0,
}: {
  gateway?: Gateway;
  trialPeriodDays?: number;
} = {}) {
  const seller = await newSeller(gateway);
  const externalId = await seller.newClient();
  const planId = await seller.newPlan({ price: 0, trialPeriodDays, features: ['Notes', 'Search'] });
  const answer = good(await seller.subscribe({ body: { externalId, planId } }));
  const read = () => storedSubscription(seller, externalId, answer.subscription._id);
  return { seller, externalId, planId, answer, id: answer.subscription._id as string, read };
}

describe('a plan of price 0', () => {
  test.each(['none', 'sandbox'] as const)(
    'is active at once, with a paid invoice and neither a mail nor a checkout: gateway %s',
    async (gateway) => {
      const { seller, externalId, answer, read } = await newFree({ gateway });
      expect(answer).not.toHaveProperty('checkoutUrl');
      expect(answer.subscription).toMatchObject({ status: 'active', endDate: '2027-04-10T12:00:00.000Z' });
      const { invoices, outbox, timeline } = await read();
      expect(invoices).toMatchObject([{ n: 1, status: 'paid', totalMinor: 0, periodStartMs: noonMs }]);
      expect(outbox).toEqual([]);
      expect(timeline).toMatchObject([{ event: 'start', to: 'active' }]);
      expect((await seller.current(externalId)).body.subscription).toMatchObject({ entitled: true });
      await expectSound(seller, externalId);
    },
  );

  test('takes the place of an overdue subscription at once, whose invoice is void', async () => {
    const seller = await newSeller();
    const externalId = await seller.newClient();
    const paid = good(await seller.subscribe({ body: { externalId } })).subscription._id;
    good(await seller.act('activate', paid));
    daysLater(33);
    await step(await seller.stateOf(externalId, paid));
    const planId = await seller.newPlan({ price: 0 });
    const { subscription } = good(await seller.subscribe({ body: { externalId, planId } }));
    expect(subscription.status).toBe('active');
    const former = await storedSubscription(seller, externalId, paid);
    expect(former.subscription).toMatchObject({ status: 'cancelled', endReason: 'replaced' });
    expect(former.invoices.map(({ status }) => status)).toEqual(['paid', 'void']);
    expect((await clientOf(seller, externalId))?.runningId).toBe(subscription._id);
    await expectSound(seller, externalId);
  });
});

test('the features of a plan are copied on sale, stay when the plan changes, and are not on invoices', async () => {
  const { seller, externalId, planId, read } = await newFree();
  expect((await seller.current(externalId)).body.subscription.planId).toMatchObject({
    _id: planId,
    features: ['Notes', 'Search'],
  });
  expect((await read()).invoices[0]?.plan).not.toHaveProperty('features');
});

const home = { line1: 'Main Street 1', city: 'Town', country: 'DE' };

test.each([undefined, 'refuse'])(
  'a member state without a rate takes no tax away: withoutRate %s',
  async (withoutRate) => {
    const tax = defined({ ...germanTax, withoutRate });
    const seller = await newSeller('none', { seller: germanSeller, tax });
    const [externalId, planId] = await Promise.all([
      seller.newClient({ address: home }),
      seller.newPlan({ price: 119 }),
    ]);
    await seller.subscribedByTransfer({ externalId, planId });
    const body = goodClient({ externalId, address: { ...home, country: 'AT' } });
    good(await call('clients.upsert', { headers: seller.headers, body }));
    daysLater(24);
    await step((await storedSubscription(seller, externalId)).subscription);
    expect((await storedSubscription(seller, externalId)).invoices).toMatchObject([
      { taxes: [{ country: 'DE', taxMinor: 1_900 }] },
      { customer: { address: { country: 'AT' } }, taxes: [{ country: 'DE', taxMinor: 1_900 }] },
    ]);
    await expectSound(seller, externalId);
  },
);
