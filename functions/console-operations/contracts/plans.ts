import { submitRoute } from '../../console/contracts/operations.ts';
import { routes } from '../../plans/routes.ts';

export const route = submitRoute('plans', routes, 'plans');
