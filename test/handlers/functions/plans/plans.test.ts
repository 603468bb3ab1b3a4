import { planStore } from '../../../../functions/plans/store.ts';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { newId } from '../../../../functions/shared/runtime/ids.ts';
import { call, goodPlan, newSeller, newTenant, putItem, type Tenant } from '../../../support/call.ts';
import { asOperator } from '../../../support/samples/operator.ts';

const create = async (id: string, body: object = {}) =>
  call('plans.create', await asOperator({ params: { id }, body: { ...goodPlan, ...body } }));
const update = async (id: string, planId: string, body: object) =>
  call('plans.update', await asOperator({ params: { id, planId }, body }));

describe('a plan', () => {
  test('is created with all its fields, and stored in minor units', async () => {
    const { applicationId } = await newTenant();
    const { status, body } = await create(applicationId);
    expect(status).toBe(201);
    expect(body.plan).toEqual({ _id: expect.stringMatching(/^pln_[0-9A-Z]{26}$/), ...goodPlan, revision: 1 });
    expect(await planStore.get(applicationId, body.plan._id)).toMatchObject({
      priceMinor: 999,
      currency: 'EUR',
    });
  });

  test('changes the given fields only', async () => {
    const { applicationId } = await newTenant();
    const { plan } = (await create(applicationId)).body;
    const changed = await update(applicationId, plan._id, { isActive: false, price: 12 });
    const expected = { ...plan, isActive: false, price: 12, revision: 2 };
    expect([changed.status, changed.body.plan]).toEqual([200, expected]);
    const unchanged = (await update(applicationId, plan._id, { revision: 2 })).body.plan;
    expect(unchanged).toEqual({ ...expected, revision: 3 });
    const late = await update(applicationId, plan._id, { name: 'Late', revision: 2 });
    expect([late.status, late.body.error]).toEqual([409, 'conflict']);
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

const list = (seller: Tenant, query: Record<string, string> = {}) =>
  call('plans.list', { headers: seller.headers, query });
type Listed = { _id: string; description: string };
const ids = (plans: Listed[]) => plans.map(({ _id }) => _id);

/** Stores `count` plans, each created a millisecond after the one before. */
async function withPlans(count: number, more: object = {}): Promise<{ seller: Tenant; made: string[] }> {
  const seller = await newSeller();
  const { applicationId } = seller;
  const { price: _, ...plan } = goodPlan;
  const made = Array.from({ length: count }, (__, i) => newId('pln', 1_700_000_000_000 + i));
  const stored = made.map((planId) => ({
    ...keys.plan(applicationId, planId),
    planId,
    applicationId,
    ...plan,
    priceMinor: 999,
    revision: 1,
    createdAtMs: 1,
    updatedAtMs: 1,
    ...more,
  }));
  await Promise.all(stored.map((item) => putItem(item)));
  return { seller, made };
}

async function pages(seller: Tenant, query: Record<string, string> = {}) {
  const plans: Listed[] = [];
  const sizes: number[] = [];
  let cursor: string | undefined;
  do {
    const { body } = await list(seller, { ...query, ...defined({ cursor }) });
    plans.push(...body.plans);
    sizes.push(body.plans.length);
    cursor = body.nextCursor;
  } while (cursor !== undefined);
  return { plans, sizes };
}

test('shows the plans of the application and no others, including those that are no longer sold', async () => {
  const [seller, other] = await Promise.all([newSeller(), newSeller()]);
  const sold = await seller.newPlan({ trialPeriodDays: 14 });
  const old = await seller.newPlan({ isActive: false, price: 0.1, trialPeriodDays: 14 });
  await other.newPlan();
  const { status, body } = await list(seller);
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['plans']);
  expect(body.plans).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ _id: sold, ...goodPlan }),
      expect.objectContaining({ _id: old, ...goodPlan, isActive: false, price: 0.1 }),
    ]),
  );
  expect(body.plans).toHaveLength(2);
});

describe('pages', () => {
  test('hold the requested number in order of creation, and a cursor only when more follow', async () => {
    const { seller, made } = await withPlans(5);
    const { plans, sizes } = await pages(seller, { limit: '2' });
    expect([ids(plans), sizes]).toEqual([made, [2, 2, 1]]);
    expect((await list(seller, { limit: '5' })).body).not.toHaveProperty('nextCursor');
    expect((await pages(seller)).sizes).toEqual([5]);
  });

  test('end where the response is full, however large the plans are', async () => {
    // A character of control is six of JSON.
    const features = Array.from({ length: 50 }, () => '\u0001'.repeat(1_500));
    const { seller, made } = await withPlans(10, { features });
    const { plans, sizes } = await pages(seller);
    expect(ids(plans)).toEqual(made);
    expect(sizes.length).toBeGreaterThan(1);
  });
});
