import { routes } from '../../subscriptions/routes.ts';
import { submitRoute } from './submit.ts';

export const route = submitRoute('subscriptions', routes, 'subscriptions');
