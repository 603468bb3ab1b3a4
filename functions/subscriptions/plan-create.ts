import { operatorCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { newId } from '../shared/runtime/ids.ts';
import { priceMinor, shownPlan } from './plans/plan.ts';
import { planStore } from './plans/store.ts';
import { routes } from './routes.ts';

const createDeps = () => ({ plans: planStore, nowMs });

/** Makes a plan of an application, if there is such an application: one transaction says both. */
export async function createPlan(
  { params: { id }, body: { price, ...fields } }: Input<(typeof routes)['plan-create']>,
  { plans, nowMs }: ReturnType<typeof createDeps>,
): Promise<Output<(typeof routes)['plan-create']>> {
  const atMs = nowMs();
  const plan = {
    planId: newId('pln', atMs),
    applicationId: id,
    revision: 1,
    createdAtMs: atMs,
    updatedAtMs: atMs,
    ...fields,
    priceMinor: priceMinor(price, fields.currency),
  };
  if (!(await plans.create(plan))) throw new ApiError('not_found');
  return { plan: shownPlan(plan) };
}

export const handler = endpoint(routes['plan-create'], createPlan, createDeps, operatorCaller);
