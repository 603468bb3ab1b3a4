import { defineRoute } from '../../shared/contract/route.ts';
import { idempotencyErrors, unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { IdempotencyHeaders } from '../../shared/fields/idempotency-key.ts';
import { ApplicationPath, CreatedKey, CreateKeyRequest } from '../schemas.ts';

export const route = defineRoute({
  method: 'POST',
  path: '/api/operator/applications/{id}/keys',
  words: { title: 'Create a key' },
  operationId: 'createApplicationKey',
  summary: 'Creates another key of an application, which is shown only once.',
  description: [
    'An application can have two unexpired keys of a kind, so that a key can be replaced without an',
    'outage: create a new key, deploy it everywhere, and revoke the old one. Creating a third key returns',
    '409.',
    'With an `Idempotency-Key`, a repeated request within 24 hours creates no other key. It is a `conflict` that names the key: only the first',
    'response has its secret.',
  ].join('\n'),
  auth: 'operator',
  operatorScope: 'admin',
  params: ApplicationPath,
  headers: IdempotencyHeaders,
  body: CreateKeyRequest,
  response: CreatedKey,
  status: 201,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found', 'conflict', ...idempotencyErrors] },
  grants: {
    table: {
      APP: ['GetItem', 'UpdateItem'],
      CLIENTSECRET: ['PutItem'],
      APIKEY: ['PutItem'],
      IDEMPOTENCY: ['GetItem', 'PutItem'],
    },
  },
});
