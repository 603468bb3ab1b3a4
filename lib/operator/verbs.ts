import type { Method } from '../../functions/shared/contract/route.ts';

/** An option of a verb, and the field of the request that it fills. */
export interface Option {
  /** `flag` is `--active` or `--no-active`; `list` may be repeated; `json` is JSON, or `@` and a file of it. */
  readonly type: 'text' | 'number' | 'flag' | 'list' | 'json';
  readonly field: string;
  readonly help: string;
  readonly required?: true;
  readonly oneOf?: readonly string[];
}

/** One thing that an operator does: a request. Help, arguments, requests and tests are derived from it. */
export interface Verb {
  /** `key revoke` */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  readonly method: Method;
  /** Its `{name}` segments are the verb's arguments, in that order. */
  readonly path: `/api/operator/${string}`;
  /** They fill the body; the query of a GET. */
  readonly options?: Readonly<Record<string, Option>>;
  /** Fields of the body that are always the same. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Asked before it is done. */
  readonly asks?: string;
  /** Shown after it was done. */
  readonly note?: string;
}

/** The names of a path's segments. The registry's own would load every contract, for a program that starts often. */
export function segmentsOf(path = ''): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

const option =
  (type: Option['type'], more: Pick<Option, 'required' | 'oneOf'> = {}) =>
  (field: string, help: string): Option => ({ type, field, help, ...more });
const text = option('text');
const requiredText = option('text', { required: true });
const number = option('number');
const requiredNumber = option('number', { required: true });
const flag = option('flag');
const requiredFlag = option('flag', { required: true });
const list = option('list');
const json = option('json');
const oneOf = (...values: string[]) => option('text', { oneOf: values });
const requiredOneOf = (...values: string[]) => option('text', { required: true, oneOf: values });

const shownOnce = 'Keep what is secret now: it is not shown again.';
const cycles = ['weekly', 'monthly', 'quarterly', 'semiannual', 'annual'];

const redirectUri = list('redirectUris', 'where OAuth sends users back to; repeat it for several');
const settings = json('settings', 'JSON, or @file; see the reference of the API');
const planFields = {
  description: text('description', 'what people read'),
  'trial-days': number('trialPeriodDays', 'days of free trial'),
  feature: list('features', 'repeat it for several'),
  active: flag('isActive', 'whether it is sold'),
};

export const verbs: readonly Verb[] = [
  {
    name: 'application create',
    summary: 'Makes an application, with a client secret and an API key.',
    method: 'POST',
    path: '/api/operator/applications',
    options: { name: requiredText('name', 'what users see'), 'redirect-uri': redirectUri, settings },
    fixed: { redirectUris: [] },
    note: shownOnce,
  },
  {
    name: 'application show',
    summary: 'Shows an application and its keys.',
    method: 'GET',
    path: '/api/operator/applications/{application}',
  },
  {
    name: 'application update',
    summary: 'Changes what is given of an application.',
    method: 'PUT',
    path: '/api/operator/applications/{application}',
    options: { name: text('name', 'what users see'), 'redirect-uri': redirectUri, settings },
  },
  {
    name: 'key create',
    summary: 'Makes a further key of an application, at most two of a kind.',
    method: 'POST',
    path: '/api/operator/applications/{application}/keys',
    options: {
      kind: requiredOneOf('client_secret', 'api_key')('kind', 'what it opens'),
      'expires-in-days': number('expiresInDays', 'good until revoked without'),
    },
    note: shownOnce,
  },
  {
    name: 'key revoke',
    summary: 'Revokes a key of an application.',
    method: 'DELETE',
    path: '/api/operator/applications/{application}/keys/{key}',
    asks: 'Whatever still uses this key stops working within 30 seconds. Revoke it?',
  },
  {
    name: 'plan create',
    summary: 'Makes a plan that an application sells.',
    method: 'POST',
    path: '/api/operator/applications/{application}/plans',
    options: {
      name: requiredText('name', 'what people read'),
      price: requiredNumber('price', 'decimal: 9.99'),
      currency: requiredText('currency', 'ISO 4217: EUR'),
      'billing-cycle': requiredOneOf(...cycles)('billingCycle', 'length of a term'),
      ...planFields,
    },
  },
  {
    name: 'plan update',
    summary: 'Changes what is given of a plan.',
    method: 'PUT',
    path: '/api/operator/applications/{application}/plans/{plan}',
    options: {
      name: text('name', 'what people read'),
      price: number('price', 'decimal: 9.99'),
      currency: text('currency', 'ISO 4217: EUR'),
      'billing-cycle': oneOf(...cycles)('billingCycle', 'length of a term'),
      ...planFields,
    },
  },
  {
    name: 'user put',
    summary: 'Creates or replaces a user.',
    method: 'PUT',
    path: '/api/operator/users/{user}',
    options: {
      email: requiredText('email', 'no two users have the same'),
      name: requiredText('name', 'full name'),
      status: requiredOneOf('active', 'suspended')('status', 'whether he may do anything'),
      verified: requiredFlag('verified', 'whether his identity is'),
    },
  },
  {
    name: 'user show',
    summary: 'Shows a user.',
    method: 'GET',
    path: '/api/operator/users/{user}',
  },
  {
    name: 'social-account put',
    summary: "Creates or replaces a user's account on a platform.",
    method: 'PUT',
    path: '/api/operator/users/{user}/social-accounts/{platform}',
    options: {
      username: requiredText('username', 'its name there'),
      // --url is where the API is.
      page: requiredText('url', 'URL of its page'),
      verified: requiredFlag('verified', 'whether it is his'),
      status: requiredOneOf(
        'pending',
        'verified',
        'rejected',
        'unverified',
      )('verificationStatus', 'how far it is'),
      primary: flag('isPrimary', 'the first of his on the platform'),
    },
  },
  {
    name: 'review list',
    summary: 'Lists the links that wait for a review, the most urgent first.',
    method: 'GET',
    path: '/api/operator/reviews',
    options: {
      limit: number('limit', 'how many'),
      cursor: text('cursor', 'goes on where the last list ended'),
    },
  },
  {
    name: 'review show',
    summary: 'Shows a link that waits, with all that is known of its user.',
    method: 'GET',
    path: '/api/operator/reviews/{link}',
  },
  {
    name: 'review approve',
    summary: 'Finds a link to be what it claims.',
    method: 'POST',
    path: '/api/operator/reviews/{link}',
    options: {
      revision: requiredNumber('revision', 'the one you saw: a link that changed since is not decided'),
      reason: text('reason', 'kept in its history'),
    },
    fixed: { decision: 'verified' },
  },
  {
    name: 'review reject',
    summary: 'Finds a link not to be what it claims.',
    method: 'POST',
    path: '/api/operator/reviews/{link}',
    options: {
      revision: requiredNumber('revision', 'the one you saw: a link that changed since is not decided'),
      reason: text('reason', 'kept in its history'),
    },
    fixed: { decision: 'rejected' },
  },
];
