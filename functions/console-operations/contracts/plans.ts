import { submitRoute } from '../../console/contracts/operations.ts';
import { createRoute, updateRoute } from '../../plans/routes.ts';

export const commands = {
  create: createRoute,
  update: updateRoute,
};

export const route = submitRoute('plans', commands, 'plans');
