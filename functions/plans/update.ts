import { actionWrite, formerValues } from '../shared/audit/write.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { requireRevision } from '../shared/fields/revision.ts';
import { endpoint, found, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { toPlanResponse, updatedPlan } from './plan.ts';
import { updateRoute } from './routes.ts';
import { planStore } from './store.ts';

const changeable = [
  'name',
  'description',
  'priceMinor',
  'currency',
  'billingCycle',
  'priceChanges',
  'trialPeriodDays',
  'features',
  'quantity',
  'isActive',
] as const;

/**
 * Updates the given fields of a plan. The write is conditioned on the plan as read: price and currency are
 * checked together.
 */
export const updatePlan: Handler<typeof updateRoute> = async ({ params: { id, planId }, body, caller }) => {
  const nowMs = clock.nowMs();
  return retryOnConflict(async () => {
    const current = found(await planStore.get(id, planId));
    requireRevision(current.revision, body.revision);
    const plan = updatedPlan(current, body, nowMs);
    const before = formerValues(current, plan, changeable);
    const action = { action: 'plan.changed', id: planId, applicationId: id, before } as const;
    const audit = before === undefined ? [] : [actionWrite(caller, action)];
    return (await planStore.update(plan, current.revision, audit))
      ? { plan: toPlanResponse(plan) }
      : undefined;
  });
};

export const handler = endpoint(updateRoute, updatePlan, operatorCaller);
