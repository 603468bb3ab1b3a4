import type { services } from '../../functions/routes.ts';
import type { Auth } from '../../functions/shared/contract/callers.ts';
import type { OperatorScope } from '../../functions/shared/contract/operator-scopes.ts';

export type Service = keyof typeof services;

/** The common parts of a service's endpoints, from which a new endpoint is generated. */
export interface Conventions {
  readonly auth: Auth;
  /** The scope that an operator key needs, where the service accepts one. */
  readonly operatorScope?: OperatorScope;
  /** The authenticator of the service, as its endpoints import it. */
  readonly caller?: { readonly name: string; readonly from: string };
  readonly errors: { readonly invalid: string; readonly limited: string; readonly failed: string };
  /** Refusals of the authentication. */
  readonly refusals: readonly string[];
  /** Grants beyond those of the authentication, as source text. */
  readonly grants: string;
  /** The user is named in the request. */
  readonly namesUser?: true;
  /** File in `test/support/samples` with the sample requests of the service. */
  readonly samples: string;
  /** A sample request around its own fields, as source text; its helpers are imported there. */
  readonly sample: (fields: string) => string;
  /** Round trips of a request that only authenticates, where the grants name the table: only then a route has a budget. */
  readonly budget?: number;
}

const errors = { invalid: 'invalid_request', limited: 'rate_limited', failed: 'server_error' };

const open: Conventions = {
  auth: 'none',
  errors,
  refusals: [],
  grants: '{}',
  samples: 'requests.ts',
  sample: (fields) => `() => ({ ${fields} })`,
};

const apiKey: Conventions = {
  auth: 'apiKey',
  caller: { name: 'apiKeyCaller', from: '../shared/auth/bearer.ts' },
  errors,
  refusals: ['invalid_token', 'rate_limited'],
  grants: '{}',
  samples: 'subscriptions.ts',
  sample: (fields) => `async () => ({ headers: asSeller(await newSeller()), ${fields} })`,
};

const seller: Conventions = {
  ...apiKey,
  auth: 'seller',
  operatorScope: 'finance',
  caller: { name: 'sellerCaller', from: '../shared/auth/bearer.ts' },
  refusals: ['invalid_token', 'not_found', 'rate_limited'],
  samples: 'finance.ts',
};

const operator: Conventions = {
  auth: 'operator',
  operatorScope: 'admin',
  caller: { name: 'operatorCaller', from: '../shared/auth/bearer.ts' },
  errors,
  refusals: ['invalid_token'],
  grants: '{}',
  samples: 'operator.ts',
  sample: (fields) => `() => asOperator({ ${fields} })`,
};

/** By service; one that is missing here does not compile. */
export const conventions: Readonly<Record<Service, Conventions>> = {
  shares: open,
  devices: open,
  reference: open,
  oauth: { ...open, samples: 'oauth.ts' },
  account: { ...open, samples: 'account.ts' },
  console: { ...open, samples: 'console.ts' },
  'console-developers': { ...open, samples: 'developers.ts' },
  'console-money': { ...open, samples: 'console.ts' },
  vault: {
    auth: 'proof',
    caller: { name: 'authenticateVaultCaller', from: './authenticate.ts' },
    errors: { invalid: 'vault_invalid', limited: 'vault_limited', failed: 'vault_failed' },
    refusals: ['device_not_verified', 'proof_invalid', 'proof_locked'],
    grants: "{ table: { ACCESSTOKEN: ['GetItem'] } }",
    budget: 1,
    namesUser: true,
    samples: 'requests.ts',
    sample: (fields) => `async () => {
      const account = await trustedAccount();
      return { headers: proofOf(account), ${fields} };
    }`,
  },
  links: {
    auth: 'links',
    caller: { name: 'linksCaller', from: '../shared/auth/bearer.ts' },
    errors,
    refusals: ['invalid_token', 'rate_limited'],
    grants: '{}',
    samples: 'links.ts',
    sample: (fields) => `async () => ({ headers: asApplication(await newParties()), ${fields} })`,
  },
  plans: apiKey,
  clients: apiKey,
  subscriptions: apiKey,
  invoices: apiKey,
  payments: seller,
  portal: { ...open, samples: 'subscriptions.ts' },
  statements: seller,
  journal: seller,
  reports: seller,
  webhooks: {
    auth: 'application',
    operatorScope: 'support',
    caller: { name: 'applicationCaller', from: '../shared/auth/bearer.ts' },
    errors,
    refusals: ['invalid_token', 'not_found', 'rate_limited'],
    grants: '{}',
    samples: 'webhooks.ts',
    sample: (fields) => `async () => ({ headers: asOwner(await newOwner()), ${fields} })`,
  },
  applications: operator,
  users: { ...operator, operatorScope: 'support' },
  operator,
};
