import { submitRoute } from '../../console/contracts/operations.ts';
import { routes } from '../../users/routes.ts';

export const route = submitRoute(
  'users',
  routes,
  'users, their social accounts and the access that they granted',
);
