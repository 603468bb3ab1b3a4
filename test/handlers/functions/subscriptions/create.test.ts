import { defined } from '../../../../functions/shared/contract/defined.ts';
import type { Key } from '../../../../functions/shared/contract/keys.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import { referenceCode } from '../../../../functions/subscriptions/record/reference-number.ts';
import {
  type Answered,
  daysLater,
  germanSeller,
  germanTax,
  good,
  newSeller,
  newSubscription,
  noonMs,
  onTestClock,
  putItem,
  returnUrls,
} from '../../../support/call.ts';
import { failTable } from '../../../support/faults.ts';
import { storedSubscription, storedSubscriptions } from '../../../support/subscriptions/stored-state.ts';

onTestClock();
const iso = (ms: number) => new Date(ms).toISOString();

const rate = { country: 'DE', percent: 19 };

describe('a new subscription', () => {
  test('has a checkout link and sends no mail with a gateway', async () => {
    const seller = await newSeller('sandbox');
    const externalId = await seller.newClient();
    const { subscription, checkoutUrl } = good(await seller.subscribe({ body: { externalId } }));
    expect(subscription.status).toBe('pending');
    expect(checkoutUrl).toMatch(/^https:\/\/api\.test\/test\/checkout\//);
    const found = await storedSubscription(seller, externalId);
    expect(found.outbox).toEqual([]);
    expect(found.subscription.paymentDeadlineMs).toBe(noonMs + dayMs);
  });

  describe('of an application with a gateway, without successUrl and cancelUrl', () => {
    const withoutUrls = { successUrl: undefined, cancelUrl: undefined };
    const missing = expect.stringMatching(/required.*checkout.*no trial/);
    const refusal = [400, { successUrl: missing, cancelUrl: missing }];
    const answered = ({ status, body }: Answered) => [status, body.details ?? body.subscription.status];

    test('begins a trial; once the trial is used, a checkout is opened, which needs both', async () => {
      const seller = await newSeller('sandbox');
      const externalId = await seller.newClient();
      const planId = await seller.newPlan({ trialPeriodDays: 14 });
      const create = async (more: object = {}) =>
        answered(await seller.subscribe({ body: { ...withoutUrls, ...more, externalId, planId } }));
      expect(await create()).toEqual([201, 'trialing']);
      good(await seller.act('cancel', (await seller.stateOf(externalId)).subscriptionId));
      expect(await create()).toEqual(refusal);
      expect(await storedSubscriptions(seller, externalId)).toHaveLength(1);
      expect(await create(returnUrls)).toEqual([201, 'pending']);
    });
  });

  test.each([
    ['a day ago', -dayMs, 201],
    ['a little more than a day ago', -dayMs - 1, 400],
    ['a year ahead', 365 * dayMs, 201],
    ['more than a year ahead', 366 * dayMs + 1, 400],
  ])('starts %s: %s ms, %i', async (_, aheadMs, status) => {
    const response = await (await newSeller()).subscribe({ body: { startDate: iso(noonMs + aheadMs) } });
    expect(response.status, response.text).toBe(status);
  });

  test('that begins later has an invoice with its first term, which begins with a payment that comes later still', async () => {
    const seller = await newSeller();
    const body = { startDate: iso(noonMs + 5 * dayMs) };
    const { subscription } = good(await seller.subscribe({ body }));
    const first = async () => good(await seller.details(subscription._id)).subscription.invoices[0];
    const dates = { periodStart: iso(noonMs + 5 * dayMs), periodEnd: iso(noonMs + 36 * dayMs) };
    expect(await first()).toMatchObject({ status: 'open', ...dates });
    daysLater(6);
    good(await seller.act('activate', subscription._id));
    const paid = {
      status: 'paid',
      periodStart: iso(noonMs + 6 * dayMs),
      periodEnd: iso(noonMs + 37 * dayMs),
    };
    expect(await first()).toMatchObject(paid);
  });

  test('is refused for a plan that is no longer sold', async () => {
    const seller = await newSeller();
    const planId = await seller.newPlan({ isActive: false });
    const response = await seller.subscribe({ body: { planId } });
    expect([response.status, response.body.error]).toEqual([409, 'conflict']);
  });

  test('is refused for a client without a country while there are rates of tax, if the seller wants that', async () => {
    const seller = await newSeller('none', { tax: { rates: [rate], withoutCountry: 'refuse' } });
    const externalId = await seller.newClient();
    const refused = await seller.subscribe({ body: { externalId } });
    expect([refused.status, refused.body.error]).toEqual([409, 'conflict']);
    expect(Object.keys(refused.body.details)).toEqual(['externalId']);
    const address = { line1: 'Main Street 1', city: 'Town', country: 'DE' };
    const german = await seller.newClient({ address });
    expect((await seller.subscribe({ body: { externalId: german } })).status).toBe(201);
    const withoutRates = await newSeller('none', { tax: { withoutCountry: 'refuse' } });
    const untaxed = await withoutRates.newClient();
    expect((await withoutRates.subscribe({ body: { externalId: untaxed } })).status).toBe(201);
  });

  test('is refused for a client in a member state without a rate, until the seller chooses how they are taxed', async () => {
    const address = { line1: 'Rue 1', city: 'Paris', country: 'FR' };
    for (const withoutRate of [undefined, 'refuse', 'seller_rate']) {
      const seller = await newSeller('none', {
        seller: germanSeller,
        tax: defined({ ...germanTax, withoutRate }),
      });
      const externalId = await seller.newClient({ address });
      const { status, body } = await seller.subscribe({ body: { externalId } });
      const isTaxed = withoutRate === 'seller_rate';
      expect([withoutRate, status]).toEqual([withoutRate, isTaxed ? 201 : 409]);
      if (!isTaxed) expect(body.details.externalId).toMatch('tax.withoutRate');
    }
  });

  test('that is refused does not say that something changed where nothing did', async () => {
    const address = { line1: 'Rue 1', city: 'Paris', country: 'FR' };
    const refusing = { seller: germanSeller, tax: { ...germanTax, withoutCountry: 'refuse' } };
    const [seller, taxing] = await Promise.all([newSeller(), newSeller('none', refusing)]);
    const refusals = await Promise.all([
      seller.subscribe({ body: { planId: await seller.newPlan({ isActive: false }) } }),
      taxing.subscribe({ body: { externalId: await taxing.newClient() } }),
      taxing.subscribe({ body: { externalId: await taxing.newClient({ address }) } }),
    ]);
    for (const { status, body } of refusals)
      expect([status, body.message]).toEqual([
        409,
        expect.stringMatching(/^It is not possible as things are/),
      ]);
  });

  test('is refused when its trial would end before it starts', async () => {
    const body = { startDate: iso(noonMs - dayMs) };
    const response = await (await newSeller()).subscribe({ body, trialPeriodDays: 1 });
    expect([response.status, response.body.error]).toEqual([400, 'invalid_request']);
  });

  test('gets another reference number when the generated one is taken', async () => {
    const seller = await newSeller();
    const taken: Key[] = [];
    const fault = failTable(async (_, __, input) => {
      const { TransactItems = [] } = input as { TransactItems?: { Put?: { Item: Key } }[] };
      const written = TransactItems.map(({ Put }) => Put?.Item);
      const reference = written.find((item) => item?.pk.startsWith('REFERENCE#'));
      if (reference === undefined || taken.length > 0) return undefined;
      taken.push({ pk: reference.pk, sk: reference.sk });
      await putItem({ pk: reference.pk, sk: reference.sk, applicationId: 'app_another' });
      return undefined;
    });
    const { subscription } = good(await seller.subscribe().finally(fault.restore));
    expect(taken).toHaveLength(1);
    expect(taken).not.toContainEqual(keys.reference(referenceCode(subscription.referenceNumber)));
  });
});

describe('with another subscription of the client', () => {
  test('a new one is refused while the other is active, and the error names it', async () => {
    const { seller, id, externalId } = await newSubscription('active');
    const response = await seller.subscribe({ body: { externalId } });
    const details = { subscription: { _id: id, status: 'active' } };
    expect(response).toMatchObject({ status: 409, body: { error: 'conflict', details } });
  });

  test('a new one is accepted once the other has ended, even when no timer has run yet', async () => {
    const seller = await newSeller();
    const externalId = await seller.newClient();
    const first = good(await seller.subscribe({ body: { externalId, autoRenew: false } }));
    good(await seller.act('activate', first.subscription._id));
    daysLater(32);
    const second = good(await seller.subscribe({ body: { externalId } }));
    expect(second.subscription.status).toBe('pending');
    const statuses = (await storedSubscriptions(seller, externalId)).map(
      ({ subscription }) => subscription.status,
    );
    expect(statuses).toEqual(['expired', 'pending']);
  });
});
