import { apiKeyCaller } from '../shared/auth/bearer.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { keyedPage } from '../shared/lists/keyed-list.ts';
import { route } from './contracts/list.ts';
import { toPlanResponse } from './plan.ts';
import { isPlanId, planStore } from './store.ts';

/** Lists the plans of the application, inactive ones included, oldest first. */
export async function listPlans({
  query,
  caller: { applicationId },
}: Input<typeof route>): Promise<Output<typeof route>> {
  const { items, ...rest } = await keyedPage(
    {
      scope: ['plans', applicationId],
      read: (range) => planStore.listPage(applicationId, range),
      idOf: ({ planId }) => planId,
      isId: isPlanId,
      toResponse: toPlanResponse,
    },
    query,
  );
  return { plans: items, ...rest };
}

export const handler = endpoint(route, listPlans, apiKeyCaller);
