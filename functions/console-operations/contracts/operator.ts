import { submitRoute } from '../../console/contracts/operations.ts';
import { routes } from '../../operator/routes.ts';

export const route = submitRoute('operator', routes, 'operator keys and undelivered mails');
