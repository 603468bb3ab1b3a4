import { submitRoute } from '../../console/contracts/operations.ts';
import { routes } from '../../subscriptions/routes.ts';

export const route = submitRoute('subscriptions', routes, 'subscriptions');
