import { operationsEndpoint } from '../console/operations/perform.ts';
import { creditInvoice } from '../subscriptions/credit-invoice.ts';
import { routes } from '../subscriptions/routes.ts';
import { updateSubscription } from '../subscriptions/update.ts';
import { route } from './contracts/subscriptions.ts';

export const handler = operationsEndpoint(route, routes, {
  update: updateSubscription,
  'credit-invoice': creditInvoice,
});
