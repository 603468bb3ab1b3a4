import type { Route } from '../../functions/shared/contract/route.ts';
import { pathsOf } from '../deployment/gateway/paths.ts';

/** The tag of the operations of the contract: see docs/contract.md. */
export const contractTag = {
  name: 'contract',
  description:
    'The operations of the three API documents that Vouchsafe implements: links, subscriptions and the vault. All other operations are additions.',
} as const;

const operations: ReadonlySet<string> = new Set([
  'POST /api/trust-links',
  'GET /api/trust-links',
  'GET /api/trust-links/{id}',
  'PUT /api/trust-links/{id}',
  'DELETE /api/trust-links/{id}',
  'POST /api/trust-links/verify',
  'POST /api/social-accounts/verify',
  'GET /oauth/authorize/consent',
  'POST /api/oauth/token',
  'GET /plans',
  'POST /clients',
  'POST /subscriptions',
  'GET /subscriptions/current',
  'POST /api/v1/subscriptions/{id}',
  'POST /api/v1/subscriptions/{id}/activate',
  'POST /api/auth/device-check',
  'POST /api/auth/mfa/send',
  'POST /api/auth/mfa/verify',
  'GET /api/devices',
  'DELETE /api/devices',
  'POST /api/share',
  'GET /api/share',
  'GET /api/vault',
  'POST /api/vault',
]);

/** Whether an operation is one of the contract, at the path that the contract gives it. */
export const isOfContract = (method: string, path: string): boolean => operations.has(`${method} ${path}`);

/** The path at which the document has a route: that of the contract if the contract has it, else its own. */
export const documentedPath = (route: Pick<Route, 'method' | 'path' | 'alsoAt'>): string =>
  pathsOf(route).find((path) => isOfContract(route.method, path)) ?? route.path;
