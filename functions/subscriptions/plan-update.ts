import { operatorCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { changedPlan, shownPlan } from './plans/plan.ts';
import { planStore } from './plans/store.ts';
import { routes } from './routes.ts';

const updateDeps = () => ({ plans: planStore, nowMs });

/** Changes what is given of a plan; bound to the plan as it was read, because price and currency go together. */
export async function updatePlan(
  { params: { id, planId }, body }: Input<(typeof routes)['plan-update']>,
  { plans, nowMs }: ReturnType<typeof updateDeps>,
): Promise<Output<(typeof routes)['plan-update']>> {
  const atMs = nowMs();
  return retryOnConflict(async () => {
    const seen = await plans.get(id, planId);
    if (seen === undefined) throw new ApiError('not_found');
    const plan = changedPlan(seen, body, atMs);
    return (await plans.change(plan, seen.revision)) ? { plan: shownPlan(plan) } : undefined;
  });
}

export const handler = endpoint(routes['plan-update'], updatePlan, updateDeps, operatorCaller);
