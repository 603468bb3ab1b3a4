import { operatorCaller } from '../shared/bearer.ts';
import { nowMs } from '../shared/clock.ts';
import type { Input, Output } from '../shared/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { ApiError } from '../shared/errors.ts';
import { untilWon } from '../shared/until-won.ts';
import { changedPlan, shownPlan } from './plan.ts';
import { planStore } from './plan-store.ts';
import { routes } from './routes.ts';

const updateDeps = () => ({ plans: planStore, nowMs });

/** Changes what is given of a plan; bound to the plan as it was read, because price and currency go together. */
export async function updatePlan(
  { params: { id, planId }, body }: Input<(typeof routes)['plan-update']>,
  { plans, nowMs }: ReturnType<typeof updateDeps>,
): Promise<Output<(typeof routes)['plan-update']>> {
  const atMs = nowMs();
  return untilWon(async () => {
    const seen = await plans.get(id, planId);
    if (seen === undefined) throw new ApiError('not_found');
    const plan = changedPlan(seen, body, atMs);
    return (await plans.change(plan, seen.revision)) ? { plan: shownPlan(plan) } : undefined;
  });
}

export const handler = endpoint(routes['plan-update'], updatePlan, updateDeps, operatorCaller);
