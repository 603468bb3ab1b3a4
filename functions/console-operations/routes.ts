import type { Routes } from '../shared/contract/route.ts';
import { route as applications } from './contracts/applications.ts';
import { route as clients } from './contracts/clients.ts';
import { route as list } from './contracts/list.ts';
import { route as operator } from './contracts/operator.ts';
import { route as payments } from './contracts/payments.ts';
import { route as plans } from './contracts/plans.ts';
import { route as portal } from './contracts/portal.ts';
import { route as subscriptions } from './contracts/subscriptions.ts';
import { route as users } from './contracts/users.ts';
import { route as webhooks } from './contracts/webhooks.ts';

export const routes = {
  list,
  applications,
  plans,
  clients,
  users,
  subscriptions,
  payments,
  portal,
  webhooks,
  operator,
} satisfies Routes;
