import { routes } from '../../users/routes.ts';
import { submitRoute } from './submit.ts';

export const route = submitRoute(
  'users',
  routes,
  'users, their social accounts and the access that they granted',
);
