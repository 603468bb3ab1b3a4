import { describe, expect, test } from 'vitest';
import { planStore } from '../../../../functions/subscriptions/plans/store.ts';
import { call } from '../../../support/call.ts';
import { asOperator, newPlan } from '../../../support/samples/operator.ts';
import { newTenant } from '../../../support/tenants.ts';

const create = async (id: string, body: object = {}) =>
  call('subscriptions.plan-create', await asOperator({ params: { id }, body: { ...newPlan, ...body } }));
const update = async (id: string, planId: string, body: object) =>
  call('subscriptions.plan-update', await asOperator({ params: { id, planId }, body }));

describe('a plan', () => {
  test('is created with all its fields, and stored in minor units', async () => {
    const { applicationId } = await newTenant();
    const { status, body } = await create(applicationId);
    expect(status).toBe(201);
    expect(body.plan).toEqual({ _id: expect.stringMatching(/^pln_[0-9A-Z]{26}$/), ...newPlan });
    expect(await planStore.get(applicationId, body.plan._id)).toMatchObject({
      priceMinor: 999,
      currency: 'EUR',
    });
  });

  test('needs name, price, currency and cycle; by default it is sold without a trial', async () => {
    const { applicationId: id } = await newTenant();
    const { name, price, currency, billingCycle } = newPlan;
    const body = { name, price, currency, billingCycle };
    const created = await call('subscriptions.plan-create', await asOperator({ params: { id }, body }));
    expect(created.body.plan).toMatchObject({
      ...body,
      description: '',
      trialPeriodDays: 0,
      features: [],
      isActive: true,
    });
  });

  test.each([
    [{ price: -1 }, 'price'],
    [{ price: '9.99' }, 'price'],
    [{ price: 9.999 }, 'price'],
    [{ price: 0.1 + 0.2 }, 'price'],
    [{ price: 1.5, currency: 'JPY' }, 'price'],
    [{ price: 1.2345, currency: 'KWD' }, 'price'],
    [{ price: 1_000_000_001 }, 'price'],
    [{ currency: 'eur' }, 'currency'],
    [{ currency: 'XYZ' }, 'currency'],
    [{ currency: '' }, 'currency'],
    [{ billingCycle: 'daily' }, 'billingCycle'],
    [{ trialPeriodDays: 1.5 }, 'trialPeriodDays'],
    [{ trialPeriodDays: -1 }, 'trialPeriodDays'],
    [{ name: '' }, 'name'],
    [{ features: ['a', ''] }, 'features[1]'],
  ])('with %j is refused, and the error names the field', async (body, field) => {
    const { applicationId } = await newTenant();
    const response = await create(applicationId, body);
    expect([response.status, Object.keys(response.body.details)]).toEqual([400, [field]]);
  });

  test.each([
    [0, 'EUR', 0],
    [0.01, 'USD', 1],
    [19.9, 'USD', 1_990],
    [1_000_000_000, 'EUR', 100_000_000_000],
    [500, 'JPY', 500],
    [1.234, 'KWD', 1_234],
  ])('of %d %s is %d minor units', async (price, currency, minor) => {
    const { applicationId } = await newTenant();
    const { plan } = (await create(applicationId, { price, currency })).body;
    expect([plan.price, plan.currency]).toEqual([price, currency]);
    expect((await planStore.get(applicationId, plan._id))?.priceMinor).toBe(minor);
  });

  test('changes the given fields only', async () => {
    const { applicationId } = await newTenant();
    const { plan } = (await create(applicationId)).body;
    const changed = await update(applicationId, plan._id, { isActive: false, price: 12 });
    expect([changed.status, changed.body.plan]).toEqual([200, { ...plan, isActive: false, price: 12 }]);
    expect((await update(applicationId, plan._id, {})).body.plan).toEqual(changed.body.plan);
  });

  test('keeps its decimal price in another currency, unless that currency has fewer decimals', async () => {
    const { applicationId } = await newTenant();
    const { plan } = (await create(applicationId)).body;
    expect((await update(applicationId, plan._id, { currency: 'KWD' })).body.plan.price).toBe(9.99);
    expect((await planStore.get(applicationId, plan._id))?.priceMinor).toBe(9_990);
    const refused = await update(applicationId, plan._id, { currency: 'JPY' });
    expect([refused.status, refused.body.details]).toEqual([400, { price: 'must have no decimals in JPY' }]);
    expect((await update(applicationId, plan._id, { currency: 'JPY', price: 1_200 })).body.plan.price).toBe(
      1_200,
    );
  });

  test('loses no change among concurrent updates', async () => {
    const { applicationId } = await newTenant();
    const { plan } = (await create(applicationId)).body;
    const changes = [
      ...[{ name: 'Raced' }, { price: 100 }, { currency: 'USD' }, { trialPeriodDays: 3 }],
      ...[{ features: [] }, { isActive: false }, { description: 'D' }, { billingCycle: 'annual' }],
    ];
    const responses = await Promise.all(changes.map((change) => update(applicationId, plan._id, change)));
    expect(responses.map(({ status }) => status)).toEqual(changes.map(() => 200));
    expect((await update(applicationId, plan._id, {})).body.plan).toEqual(
      Object.assign({ ...plan }, ...changes),
    );
  });

  test('answers 404 for an unknown application, and for a plan of another application', async () => {
    const one = await newTenant();
    const other = await newTenant();
    const { plan } = (await create(one.applicationId)).body;
    expect((await create('app_none')).body.error).toBe('not_found');
    for (const [id, planId] of [
      [other.applicationId, plan._id],
      [one.applicationId, 'pln_none'],
      ['app_none', plan._id],
    ] as const) {
      expect((await update(id, planId, { name: 'Stolen' })).body.error).toBe('not_found');
    }
    expect((await planStore.get(one.applicationId, plan._id))?.name).toBe('Pro');
  });
});
