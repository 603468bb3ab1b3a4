import { describe, expect, test } from 'vitest';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { newId } from '../../../../functions/shared/runtime/ids.ts';
import { call } from '../../../support/call.ts';
import { newPlan as goodPlan } from '../../../support/samples/operator.ts';
import { putItem } from '../../../support/stored-items.ts';
import { asSeller, newPlan, newSeller } from '../../../support/subscriptions/requests.ts';
import type { Tenant } from '../../../support/tenants.ts';

const list = (seller: Tenant, query: Record<string, string> = {}) =>
  call('subscriptions.plan-list', { headers: asSeller(seller), query });
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
  const sold = await newPlan(seller, { trialPeriodDays: 14 });
  const old = await newPlan(seller, { isActive: false, price: 0.1, trialPeriodDays: 14 });
  await newPlan(other);
  const { status, body } = await list(seller);
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['plans']);
  expect(body.plans).toEqual(
    expect.arrayContaining([
      { _id: sold, ...goodPlan },
      { _id: old, ...goodPlan, isActive: false, price: 0.1 },
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
