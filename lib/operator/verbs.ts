import { revocationSeconds } from '../../functions/shared/contract/secret.ts';
import { applicationDifference } from './difference.ts';
import { operatorVerbs } from './operator-verbs.ts';
import { paymentVerbs } from './payment-verbs.ts';
import {
  flag,
  forApplication,
  json,
  list,
  number,
  oneOf,
  pages,
  requiredFlag,
  requiredNumber,
  requiredOneOf,
  requiredText,
  text,
  type Verb,
} from './verb.ts';
import { webhookVerbs } from './webhook-verbs.ts';

const shownOnce = 'Store the secrets now: they are not shown again.';
const cycles = ['weekly', 'monthly', 'quarterly', 'semiannual', 'annual'];

const redirectUri = list('redirectUris', 'URI to which OAuth redirects users; repeatable');
const settings = json('settings', 'JSON, or @file; see the API reference');
const planFields = {
  description: text('description', 'shown to customers'),
  'trial-days': number('trialPeriodDays', 'length of the free trial in days'),
  feature: list('features', 'feature of the plan; repeatable'),
  active: flag('isActive', 'whether the plan is for sale'),
};

const decision = {
  revision: requiredNumber(
    'revision',
    'revision that was reviewed; a link that has changed since is not decided',
  ),
  reason: text('reason', 'stored in the history of the link'),
};

/** The data that a reset ends, by the field of the request. */
const endedBy = {
  devices: 'every trusted device, session and token',
  proof: 'the proof of the master password; the next vault write sets another one',
  vault: 'the stored vault, for good, and its proof',
};

export const verbs: readonly Verb[] = [
  {
    name: 'application create',
    summary: 'Creates an application with a client secret and an API key.',
    method: 'POST',
    path: '/api/operator/applications',
    options: { name: requiredText('name', 'name shown to users'), 'redirect-uri': redirectUri, settings },
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
    summary: 'Changes the given fields of an application, and merges its settings.',
    method: 'PUT',
    path: '/api/operator/applications/{application}',
    options: {
      name: text('name', 'name shown to users'),
      'redirect-uri': redirectUri,
      settings: json('settings', 'JSON, or @file: settings to change; null removes one, others stay'),
    },
    preview: applicationDifference,
    confirmation: 'Change the application?',
  },
  {
    name: 'key create',
    summary: 'Creates another key of an application, at most two of a kind.',
    method: 'POST',
    path: '/api/operator/applications/{application}/keys',
    options: {
      kind: requiredOneOf('client_secret', 'api_key')('kind', 'kind of the key'),
      'expires-in-days': number('expiresInDays', 'lifetime in days; default: valid until revoked'),
    },
    note: shownOnce,
  },
  {
    name: 'key revoke',
    summary: 'Revokes a key of an application.',
    method: 'DELETE',
    path: '/api/operator/applications/{application}/keys/{key}',
    confirmation: `Everything that still uses this key stops working within ${revocationSeconds} seconds. With the last key, the tokens of the application end. Revoke it?`,
  },
  {
    name: 'plan create',
    summary: 'Creates a plan of an application.',
    method: 'POST',
    path: '/api/operator/applications/{application}/plans',
    options: {
      name: requiredText('name', 'name shown to customers'),
      price: requiredNumber('price', 'decimal, for example 9.99'),
      currency: requiredText('currency', 'ISO 4217 code, for example EUR'),
      'billing-cycle': requiredOneOf(...cycles)('billingCycle', 'length of the billing period'),
      ...planFields,
    },
  },
  {
    name: 'plan update',
    summary: 'Changes the given fields of a plan.',
    method: 'PUT',
    path: '/api/operator/applications/{application}/plans/{plan}',
    options: {
      name: text('name', 'name shown to customers'),
      price: number('price', 'decimal, for example 9.99'),
      currency: text('currency', 'ISO 4217 code, for example EUR'),
      'billing-cycle': oneOf(...cycles)('billingCycle', 'length of the billing period'),
      ...planFields,
    },
  },
  {
    name: 'subscription update',
    summary: 'Extends a trial, grants days, or switches the renewal of a subscription.',
    method: 'PATCH',
    ...forApplication,
    path: '/api/v1/subscriptions/{subscription}',
    options: {
      'trial-end': text('trialEnd', 'later end of the trial, for example 2027-05-01T00:00:00Z'),
      'end-date': text('endDate', 'later end of the paid term, at no charge'),
      'auto-renew': flag('autoRenew', 'whether the subscription renews'),
      reason: requiredText('reason', 'why, for the timeline'),
    },
  },
  {
    name: 'grant list',
    summary: 'Lists the applications to which a user granted access.',
    method: 'GET',
    path: '/api/operator/users/{user}/grants',
    options: pages('grants'),
  },
  {
    name: 'grant revoke',
    summary: "Revokes a user's grant to an application.",
    method: 'DELETE',
    path: '/api/operator/users/{user}/grants/{grant}',
    confirmation: `The tokens of this grant stop working within ${revocationSeconds} seconds. Revoke it?`,
  },
  {
    name: 'user put',
    summary: 'Creates or replaces a user.',
    method: 'PUT',
    path: '/api/operator/users/{user}',
    options: {
      email: requiredText('email', 'unique among users'),
      name: requiredText('name', 'full name'),
      status: requiredOneOf('active', 'suspended')(
        'status',
        'suspended users cannot sign in or submit links',
      ),
      verified: requiredFlag('verified', 'whether the identity of the user is verified'),
    },
  },
  {
    name: 'user show',
    summary: 'Shows a user.',
    method: 'GET',
    path: '/api/operator/users/{user}',
  },
  {
    name: 'user reset',
    summary: 'Ends devices, the proof of the master password, or the vault of a user.',
    method: 'POST',
    path: '/api/operator/users/{user}/reset',
    options: {
      devices: flag('devices', endedBy.devices),
      proof: flag('proof', endedBy.proof),
      vault: flag('vault', endedBy.vault),
      reason: text('reason', 'stored in the history of the user'),
    },
    atLeastOne: Object.keys(endedBy),
    confirmation: (fields) =>
      [
        'This ends:',
        ...Object.entries(endedBy).flatMap(([name, what]) => (fields[name] === true ? [`  ${what}`] : [])),
        'It cannot be undone. Reset the user?',
      ].join('\n'),
  },
  {
    name: 'user history',
    summary: 'Lists changes of the address of a user, and resets.',
    method: 'GET',
    path: '/api/operator/users/{user}/history',
    options: pages('entries'),
  },
  {
    name: 'user mail-link',
    summary: 'Mails a user a link by which they get sign-in codes whatever strangers do.',
    method: 'POST',
    path: '/api/operator/users/{user}/enrolment-link',
  },
  {
    name: 'social-account put',
    summary: "Creates or replaces a user's account on a platform.",
    method: 'PUT',
    path: '/api/operator/users/{user}/social-accounts/{platform}',
    options: {
      username: requiredText('username', 'name of the account on the platform'),
      // `--url` is the base URL of the API.
      page: requiredText('url', 'URL of the account page'),
      verified: requiredFlag('verified', 'whether the account belongs to the user'),
      status: requiredOneOf(
        'pending',
        'verified',
        'rejected',
        'unverified',
      )('verificationStatus', 'state of the verification'),
      primary: flag('isPrimary', 'whether it is the primary account on the platform'),
    },
  },
  {
    name: 'review list',
    summary: 'Lists the links in the review queue, the most urgent first.',
    method: 'GET',
    path: '/api/operator/reviews',
    options: pages('links'),
  },
  {
    name: 'review show',
    summary: 'Shows a link with its history, its user and their social accounts.',
    method: 'GET',
    path: '/api/operator/reviews/{link}',
    options: pages('events of the history', 'page before'),
  },
  {
    name: 'review approve',
    summary: 'Verifies a link.',
    method: 'POST',
    path: '/api/operator/reviews/{link}',
    options: decision,
    fixed: { decision: 'verified' },
  },
  {
    name: 'review reject',
    summary: 'Rejects a link.',
    method: 'POST',
    path: '/api/operator/reviews/{link}',
    options: decision,
    fixed: { decision: 'rejected' },
  },
  {
    name: 'mail list',
    summary: 'Lists the mails about subscriptions that were given up, or that are held.',
    method: 'GET',
    path: '/api/operator/mails',
    options: {
      state: oneOf('given_up', 'held')(
        'state',
        '`given_up` is the default; `held` mails wait for the next day',
      ),
      ...pages('mails'),
    },
  },
  {
    name: 'mail redrive',
    summary: 'Sends a given-up mail again.',
    method: 'POST',
    path: '/api/operator/mails/{mail}/redrive',
  },
  {
    name: 'mail redrive-all',
    summary: 'Sends given-up mails again, up to 500.',
    method: 'POST',
    path: '/api/operator/mails/redrive',
    confirmation: 'Mails that SES may have accepted arrive once more. Send all again?',
    note: 'Repeat the command while there are more.',
  },
  ...operatorVerbs,
  ...paymentVerbs,
  ...webhookVerbs,
];
