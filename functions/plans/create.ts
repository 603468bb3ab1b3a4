import { settingsWarnings } from '../shared/accounts/application-warnings.ts';
import { getApplication } from '../shared/accounts/applications.ts';
import { actionWrite } from '../shared/audit/write.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { newId } from '../shared/runtime/ids.ts';
import { idempotentRequest } from '../shared/table/idempotency.ts';
import { priceMinor, toPlanResponse } from './plan.ts';
import { createRoute } from './routes.ts';
import { planStore } from './store.ts';

/** Creates a plan of an application, in one transaction with the check that the application exists. A repeated request creates none. */
export const createPlan: Handler<typeof createRoute> = async ({ params: { id }, headers, body, caller }) => {
  const { price, quantity, ...fields } = body;
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
  const audit = actionWrite(caller, { action: 'plan.created', id: plan.planId, applicationId: id });
  const request = idempotentRequest(id, headers, createRoute, { id, ...body });
  const [application, created] = await Promise.all([
    getApplication(id),
    planStore.create(plan, audit, request),
  ]);
  const current =
    created?.planId === plan.planId ? plan : created && (await planStore.get(id, created.planId));
  if (application === undefined || current === undefined) throw new ApiError('not_found');
  return { plan: toPlanResponse(current), warnings: settingsWarnings(application.settings) };
};

export const handler = endpoint(createRoute, createPlan, operatorCaller);
