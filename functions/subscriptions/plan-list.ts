import { apiKeyCaller } from '../shared/auth/bearer.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { pageOf } from './api/pagination.ts';
import { shownPlan } from './plans/plan.ts';
import { isPlanId, planStore } from './plans/store.ts';
import { routes } from './routes.ts';

const plansDeps = () => ({ plans: planStore });

/** Lists the plans of the application, those that are not sold any more included, in the order they were made. */
export async function listPlans(
  { query, caller: { applicationId } }: Input<(typeof routes)['plan-list']>,
  { plans }: ReturnType<typeof plansDeps>,
): Promise<Output<(typeof routes)['plan-list']>> {
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

export const handler = endpoint(routes['plan-list'], listPlans, plansDeps, apiKeyCaller);
