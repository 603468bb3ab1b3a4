import { defineRoutes } from '../shared/contract/route.ts';
import { listRoutes } from './api/list-routes.ts';
import { paymentRoutes } from './api/payment-routes.ts';
import { reportRoutes } from './api/report-routes.ts';
import { statementRoutes } from './api/statement-routes.ts';

/** What the people who do the books of an application work with. */
export const routes = defineRoutes({
  ...paymentRoutes,
  ...listRoutes,
  ...statementRoutes,
  ...reportRoutes,
});
