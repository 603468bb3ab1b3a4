import { submitRoute } from '../../console/contracts/operations.ts';
import { createRoute as create, updateRoute as update } from '../../plans/routes.ts';

export const commands = {
  create,
  update,
};

export const route = submitRoute('plans', commands, 'plans');
