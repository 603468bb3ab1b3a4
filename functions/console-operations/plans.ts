import { operationsEndpoint } from '../console/operations/perform.ts';
import { createPlan } from '../plans/create.ts';
import { routes } from '../plans/routes.ts';
import { updatePlan } from '../plans/update.ts';
import { route } from './contracts/plans.ts';

export const handler = operationsEndpoint(route, routes, {
  create: createPlan,
  update: updatePlan,
});
