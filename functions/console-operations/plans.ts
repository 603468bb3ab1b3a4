import { operationsEndpoint } from '../console/operations/perform.ts';
import { createPlan } from '../plans/create.ts';
import { updatePlan } from '../plans/update.ts';
import { commands, route } from './contracts/plans.ts';

export const handler = operationsEndpoint(route, commands, {
  create: createPlan,
  update: updatePlan,
});
