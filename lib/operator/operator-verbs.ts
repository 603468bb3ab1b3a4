import { operatorScopeNames } from '../../functions/shared/contract/operator-scopes.ts';
import { revocationSeconds } from '../../functions/shared/contract/secret.ts';
import { number, pages, requiredList, requiredText, text, type Verb } from './verb.ts';

const created = {
  from: text('from', 'created on or after this day or time'),
  to: text('to', 'created up to this day, or before this time'),
};

/** The search, the lists of applications and users, operator keys, and the audit records of operators. */
export const operatorVerbs: readonly Verb[] = [
  {
    name: 'search',
    summary: 'Finds the records that an id, a number or an address names.',
    method: 'GET',
    path: '/api/operator/search',
    argument: { name: 'text', field: 'q' },
    options: {
      application: text(
        'applicationId',
        'only records of this application; without it no clients, payments, statements, plans and webhooks',
      ),
    },
  },
  {
    name: 'application list',
    summary: 'Lists the applications, newest first.',
    method: 'GET',
    path: '/api/operator/applications',
    options: { ...created, ...pages('applications') },
  },
  {
    name: 'user list',
    summary: 'Lists the users whom an operator entered, newest first.',
    method: 'GET',
    path: '/api/operator/users',
    options: { ...created, ...pages('users') },
  },
  {
    name: 'operator-key create',
    summary: 'Creates an operator key for a person, with the scopes that they need.',
    method: 'POST',
    path: '/api/operator/keys',
    options: {
      name: requiredText('name', 'the person who uses the key'),
      scope: requiredList('scopes', `${operatorScopeNames.join(', ')}; repeatable`),
      'expires-in-days': number('expiresInDays', 'lifetime in days; default: valid until revoked'),
    },
    note: 'Give the key to its person now: it is not shown again.',
  },
  {
    name: 'operator-key list',
    summary: 'Lists the operator keys with their persons and scopes.',
    method: 'GET',
    path: '/api/operator/keys',
  },
  {
    name: 'operator-key revoke',
    summary: 'Revokes an operator key.',
    method: 'DELETE',
    path: '/api/operator/keys/{key}',
    confirmation: `Everything that still uses this key stops working within ${revocationSeconds} seconds. Revoke it?`,
  },
  {
    name: 'audit list',
    summary: 'Lists what operators changed of an application, a subscription or an operator key.',
    method: 'GET',
    path: '/api/operator/audit/{id}',
    options: pages('entries'),
  },
];
