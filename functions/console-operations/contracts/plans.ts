import { routes } from '../../plans/routes.ts';
import { submitRoute } from './submit.ts';

export const route = submitRoute('plans', routes, 'plans');
