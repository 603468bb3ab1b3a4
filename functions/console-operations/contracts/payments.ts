import { routes } from '../../payments/routes.ts';
import { submitRoute } from './submit.ts';

export const route = submitRoute('payments', routes, 'payments');
