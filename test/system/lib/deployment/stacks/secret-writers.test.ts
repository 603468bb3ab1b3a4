/** Which functions can write and read secrets, by the policies of their roles as they are synthesized. */
import { registeredRoutes } from '../../../../../functions/routes.ts';
import type { Key } from '../../../../../functions/shared/contract/keys.ts';
import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { functionOf, type Json, resources } from './synthesized.ts';

/** IAM's StringLike for a pattern whose only wildcard is at its end. */
const isLike = (text: string, pattern: string) =>
  pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern;

/** Whether a role may take an action on an item. A statement without leading keys would cover every item. */
function isAllowed(role: Json, action: string, { pk }: Key): boolean {
  const statements: Json[] = role.Properties.Policies[0].PolicyDocument.Statement;
  return statements.some(({ Action, Condition }) => {
    const patterns: string[] = Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? ['*'];
    return [Action].flat().includes(`dynamodb:${action}`) && patterns.some((pattern) => isLike(pk, pattern));
  });
}

/** The functions that may take an action on an item. */
const allowed = (action: string, key: Key): string[] =>
  registeredRoutes()
    .filter(({ route }) => {
      const [, { Properties }] = functionOf(`${route.method} ${route.path}: `);
      return isAllowed(resources[Properties.Role['Fn::GetAtt'][0]], action, key);
    })
    .map(({ id }) => id)
    .sort();

const hash = 'a'.repeat(64);
const webhookSecrets = keys.webhookSecrets('whk_01M8ABCDEFGHJKMNPQRSTVWXYZ');
// The forms of a service do what its operations do.
const creators = ['applications.create', 'applications.key-create', 'console-operations.applications'];
const revokers = ['applications.key-revoke', 'console-operations.applications'];
const enders = [
  'account.submit',
  'console-operations.users',
  'oauth.revoke',
  'oauth.token',
  'users.grant-revoke',
];

interface Writers {
  put: string[];
  update?: string[];
  remove: string[];
}

describe.each<[string, Key, Writers]>([
  ['a client secret', keys.secret('client_secret', hash), { put: creators, remove: revokers }],
  ['an API key', keys.secret('api_key', hash), { put: creators, remove: revokers }],
  ['an access token', keys.secret('access_token', hash), { put: ['oauth.token'], remove: enders }],
  ['a refresh token', keys.secret('refresh_token', hash), { put: ['oauth.token'], remove: enders }],
  [
    'an authorization code',
    keys.secret('authorization_code', hash),
    { put: ['oauth.consent-submit', 'oauth.token'], remove: [] },
  ],
  [
    'an operator key',
    keys.secret('operator_key', hash),
    {
      put: ['console-operations.operator', 'operator.operator-key-create'],
      remove: ['console-operations.operator', 'operator.operator-key-revoke'],
    },
  ],
  [
    'the signing secrets of a webhook',
    webhookSecrets,
    {
      put: ['console-operations.webhooks', 'webhooks.webhook-create'],
      update: ['console-operations.webhooks', 'webhooks.webhook-rotate'],
      remove: ['console-operations.webhooks', 'webhooks.webhook-remove'],
    },
  ],
])('%s', (_, key, { put, update = [], remove }) => {
  test(`can be written by ${put.join(', ') || 'no function'}`, () => {
    expect(allowed('PutItem', key)).toEqual(put);
    expect(allowed('UpdateItem', key)).toEqual(update);
    expect(allowed('DeleteItem', key)).toEqual(remove);
  });
});

/** Signing secrets are stored as they are, because a signature needs them: no other function may read them. */
test('no endpoint but those that show a signing secret to its owner can read it', () => {
  const actions = ['GetItem', 'BatchGetItem', 'Query', 'ConditionCheckItem'];
  expect(Object.fromEntries(actions.map((action) => [action, allowed(action, webhookSecrets)]))).toEqual({
    GetItem: ['console-operations.webhooks', 'webhooks.webhook-create', 'webhooks.webhook-rotate'],
    BatchGetItem: [],
    // Of an index alone, by the ids of links.
    Query: [
      'console.review-show',
      'console.review-submit',
      'console.search',
      'links.review-decide',
      'links.review-read',
      'operator.search',
    ],
    ConditionCheckItem: [],
  });
});
