import { describe, expect, test } from 'vitest';
import {
  act,
  current,
  type Gateway,
  good,
  newClient,
  newPlan,
  newSeller,
  subscribe,
} from '../../../support/subscriptions/requests.ts';
import { daysLater, noonMs, onTestClock, step } from '../../../support/subscriptions/steps.ts';
import {
  clientOf,
  expectSound,
  stateOf,
  storedSubscription,
} from '../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../support/subscriptions/unrendered-pdfs.ts';

onTestClock();
leaveOutPdfs();

async function newFree({
  gateway = 'none',
  trialPeriodDays = 0,
}: {
  gateway?: Gateway;
  trialPeriodDays?: number;
} = {}) {
  const seller = await newSeller(gateway);
  const externalId = await newClient(seller);
  const planId = await newPlan(seller, { price: 0, trialPeriodDays, features: ['Notes', 'Search'] });
  const answer = good(await subscribe(seller, { body: { externalId, planId } }));
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
      expect((await current(seller, externalId)).body.subscription).toMatchObject({ entitled: true });
      await expectSound(seller, externalId);
    },
  );

  test('takes the place of an overdue subscription at once, whose invoice is void', async () => {
    const seller = await newSeller();
    const externalId = await newClient(seller);
    const paid = good(await subscribe(seller, { body: { externalId } })).subscription._id;
    good(await act(seller, 'activate', paid));
    daysLater(33);
    await step(await stateOf(seller, externalId, paid));
    const planId = await newPlan(seller, { price: 0 });
    const { subscription } = good(await subscribe(seller, { body: { externalId, planId } }));
    expect(subscription.status).toBe('active');
    const former = await storedSubscription(seller, externalId, paid);
    expect(former.subscription).toMatchObject({ status: 'cancelled', endReason: 'replaced' });
    expect(former.invoices.map(({ status }) => status)).toEqual(['paid', 'void']);
    expect((await clientOf(seller, externalId))?.runningId).toBe(subscription._id);
    await expectSound(seller, externalId);
  });
});

describe('the features of a plan', () => {
  test('are copied on sale, stay when the plan changes, and are not on invoices', async () => {
    const { seller, externalId, planId, read } = await newFree();
    expect((await current(seller, externalId)).body.subscription.planId).toMatchObject({
      _id: planId,
      features: ['Notes', 'Search'],
    });
    expect((await read()).invoices[0]?.plan).not.toHaveProperty('features');
  });
});
