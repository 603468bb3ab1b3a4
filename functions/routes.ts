import { routes as account } from './account/routes.ts';
import { routes as applications } from './applications/routes.ts';
import { routes as clients } from './clients/routes.ts';
import { routes as console } from './console/routes.ts';
import { routes as consoleDevelopers } from './console-developers/routes.ts';
import { routes as consoleMoney } from './console-money/routes.ts';
import { routes as consoleOperations } from './console-operations/routes.ts';
import { routes as devices } from './devices/routes.ts';
import { routes as invoices } from './invoices/routes.ts';
import { routes as journal } from './journal/routes.ts';
import { routes as links } from './links/routes.ts';
import { routes as oauth } from './oauth/routes.ts';
import { routes as operator } from './operator/routes.ts';
import { routes as payments } from './payments/routes.ts';
import { routes as plans } from './plans/routes.ts';
import { routes as portal } from './portal/routes.ts';
import { routes as reference } from './reference/routes.ts';
import { routes as reports } from './reports/routes.ts';
import { type Place, placesIn, type Route, type Routes } from './shared/contract/route.ts';
import { routes as shares } from './shares/routes.ts';
import { routes as statements } from './statements/routes.ts';
import { routes as subscriptions } from './subscriptions/routes.ts';
import { routes as users } from './users/routes.ts';
import { routes as vault } from './vault/routes.ts';
import { routes as webhooks } from './webhooks/routes.ts';

/** The registry of routes. Deployment, local server, documentation and tests are derived from it. */
export const services = {
  shares,
  devices,
  vault,
  links,
  oauth,
  account,
  plans,
  clients,
  subscriptions,
  invoices,
  payments,
  portal,
  statements,
  journal,
  reports,
  webhooks,
  applications,
  users,
  operator,
  console,
  'console-developers': consoleDevelopers,
  'console-money': consoleMoney,
  'console-operations': consoleOperations,
  reference,
} as const satisfies Record<string, Routes>;

/** A route with its place in the registry. */
export interface Registered extends Place {
  route: Route;
}

/** Every route, with the service and the name it is registered under. */
export function registeredRoutes(): Registered[] {
  return placesIn<Route>(services).map(({ entry, ...place }) => ({ ...place, route: entry }));
}
