import { submitRoute } from '../../console/contracts/operations.ts';
import { route as create } from '../../plans/contracts/create.ts';
import { route as update } from '../../plans/contracts/update.ts';

export const commands = {
  create,
  update,
};

export const route = submitRoute('plans', commands, 'plans');
