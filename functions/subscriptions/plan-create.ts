import { operatorCaller } from '../shared/bearer.ts';
import { nowMs } from '../shared/clock.ts';
import type { Input, Output } from '../shared/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { ApiError } from '../shared/errors.ts';
import { recordId } from '../shared/record-id.ts';
import { priceMinor, shownPlan } from './plan.ts';
import { planStore } from './plan-store.ts';
import { routes } from './routes.ts';

const createDeps = () => ({ plans: planStore, nowMs });

/** Makes a plan of an application, if there is such an application: one transaction says both. */
export async function createPlan(
  { params: { id }, body: { price, ...fields } }: Input<(typeof routes)['plan-create']>,
  { plans, nowMs }: ReturnType<typeof createDeps>,
): Promise<Output<(typeof routes)['plan-create']>> {
  const atMs = nowMs();
  const plan = {
    ...{
      planId: recordId('pln', atMs),
      applicationId: id,
      revision: 1,
      createdAtMs: atMs,
      updatedAtMs: atMs,
    },
    ...{ ...fields, priceMinor: priceMinor(price, fields.currency) },
  };
  if (!(await plans.create(plan))) throw new ApiError('not_found');
  return { plan: shownPlan(plan) };
}

export const handler = endpoint(routes['plan-create'], createPlan, createDeps, operatorCaller);
