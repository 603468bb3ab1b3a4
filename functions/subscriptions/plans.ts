import { apiKeyCaller } from '../shared/bearer.ts';
import type { Input, Output } from '../shared/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { pageOf } from './listing.ts';
import { shownPlan } from './plan.ts';
import { isPlanId, planStore } from './plan-store.ts';
import { routes } from './routes.ts';

const plansDeps = () => ({ plans: planStore });

/** Lists the plans of the application, those that are not sold any more included, in the order they were made. */
export async function listPlans(
  { query, caller: { applicationId } }: Input<typeof routes.plans>,
  { plans }: ReturnType<typeof plansDeps>,
): Promise<Output<typeof routes.plans>> {
  const { shown, ...rest } = await pageOf(
    {
      scope: ['plans', applicationId],
      read: (from) => plans.page(applicationId, from),
      idOf: ({ planId }) => planId,
      isId: isPlanId,
      shown: shownPlan,
    },
    query,
  );
  return { plans: shown, ...rest };
}

export const handler = endpoint(routes.plans, listPlans, plansDeps, apiKeyCaller);
