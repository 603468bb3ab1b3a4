import { defineRoutes } from '../shared/contract/route.ts';
import { deliveryRoutes } from './api/delivery-routes.ts';
import { endpointRoutes } from './api/endpoint-routes.ts';
import { eventRoutes } from './api/event-routes.ts';

export const routes = defineRoutes({
  ...endpointRoutes,
  ...deliveryRoutes,
  ...eventRoutes,
});
