import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { newId } from '../shared/runtime/ids.ts';
import { priceMinor, toPlanResponse } from './plans/plan.ts';
import { planStore } from './plans/store.ts';
import { routes } from './routes.ts';

const createDeps = () => ({ plans: planStore, clock });

/** Creates a plan of an application, in one transaction with the check that the application exists. */
export async function createPlan(
  { params: { id }, body: { price, quantity, ...fields } }: Input<(typeof routes)['plan-create']>,
  { plans, clock }: ReturnType<typeof createDeps>,
): Promise<Output<(typeof routes)['plan-create']>> {
  const nowMs = clock.nowMs();
  const plan = {
    planId: newId('pln', nowMs),
    applicationId: id,
    revision: 1,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    ...fields,
    ...defined({ quantity }),
    priceMinor: priceMinor(price, fields.currency, quantity),
  };
  if (!(await plans.create(plan))) throw new ApiError('not_found');
  return { plan: toPlanResponse(plan) };
}

export const handler = endpoint(routes['plan-create'], createPlan, createDeps, operatorCaller);
