import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { keyedPage } from '../shared/lists/keyed-list.ts';
import { toPlanResponse } from './plan.ts';
import { listRoute } from './routes.ts';
import { isPlanId, planStore } from './store.ts';

/** Lists the plans of the application, inactive ones included, oldest first. */
export const listPlans: Handler<typeof listRoute> = async ({ query, caller: { applicationId } }) => {
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
};

export const handler = endpoint(listRoute, listPlans, apiKeyCaller);
