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

  test('changes the given fields only', async () => {
    const { applicationId } = await newTenant();
    const { plan } = (await create(applicationId)).body;
    const changed = await update(applicationId, plan._id, { isActive: false, price: 12 });
    expect([changed.status, changed.body.plan]).toEqual([200, { ...plan, isActive: false, price: 12 }]);
    expect((await update(applicationId, plan._id, {})).body.plan).toEqual(changed.body.plan);
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
