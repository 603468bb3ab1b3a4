import { submitRoute } from '../../console/contracts/operations.ts';
import { routes } from '../../payments/routes.ts';

export const route = submitRoute('payments', routes, 'payments');
