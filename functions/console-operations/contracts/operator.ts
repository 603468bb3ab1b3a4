import { routes } from '../../operator/routes.ts';
import { submitRoute } from './submit.ts';

export const route = submitRoute('operator', routes, 'operator keys and undelivered mails');
