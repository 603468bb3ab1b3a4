/** The scopes of operator keys. A route names the scope that it needs; a key with `admin` has every scope. */

import type { Callers } from './callers.ts';
import { keysOf } from './defined.ts';

export const operatorScopes = {
  review: 'decide on links in the review queue',
  support:
    'manage users, their grants, social accounts and mails; read applications, webhooks and events; test webhooks and retry deliveries',
  finance: 'read and change subscriptions, payments and bank statements; read clients, invoices and reports',
  admin:
    'do everything, such as manage applications, plans, webhooks, and the keys of applications and operators',
} as const;

export type OperatorScope = keyof typeof operatorScopes;

export const operatorScopeNames: readonly OperatorScope[] = keysOf(operatorScopes);

export type Operator = Callers['operator'];

export type OperatorAuth = 'operator' | 'application' | 'seller';

/** Whether a key with these scopes may call a route that needs a scope. */
export function allows(scopes: readonly string[], needed: OperatorScope): boolean {
  return scopes.includes('admin') || scopes.includes(needed);
}
