/** The scopes of operator keys. A route names the scope that it needs; a key with `admin` has every scope. */
import type { Callers } from './callers.ts';

/** The scopes, each with what it allows. */
export const operatorScopes = {
  review: 'decide on links in the review queue',
  support: 'users, their grants and social accounts, mails, webhooks and events',
  finance: 'subscriptions, invoices, payments, clients, bank statements and reports of applications',
  admin: 'everything, such as applications, plans, and the keys of applications and operators',
} as const;

export type OperatorScope = keyof typeof operatorScopes;

export const operatorScopeNames = Object.keys(operatorScopes) as readonly OperatorScope[];

/** The person behind an operator key. */
export type Operator = Callers['operator'];

/** The authentication methods that accept an operator key. */
export type OperatorAuth = 'operator' | 'application' | 'seller';

/** Whether a key with these scopes may call a route that needs a scope. */
export function allows(scopes: readonly string[], needed: OperatorScope): boolean {
  return scopes.includes('admin') || scopes.includes(needed);
}
