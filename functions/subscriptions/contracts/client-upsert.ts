import { defineRoute } from '../../shared/contract/route.ts';
import { clientMaxBytes, IdempotencyHeaders, NewClient } from '../api/requests.ts';
import { OneClient } from '../api/responses.ts';
import { applicationRoute, commonErrors, idempotencyErrors } from './common.ts';

export const route = defineRoute({
  method: 'POST',
  path: '/api/v1/clients',
  alsoAt: '/clients',
  summary: 'Registers a client, or updates one.',
  description: [
    'Returns 201 when the client is new and 200 when it was updated.',
    'Omitted fields keep their values.',
  ].join(' '),
  ...applicationRoute,
  headers: IdempotencyHeaders,
  body: NewClient,
  maxBodyBytes: clientMaxBytes,
  response: OneClient,
  status: 201,
  otherResponses: [{ status: 200, description: 'The client existed, and was updated.', headers: [] }],
  errors: { ...commonErrors, also: ['invalid_token', 'conflict', ...idempotencyErrors] },
  grants: { table: { CLIENT: ['GetItem', 'UpdateItem'], IDEMPOTENCY: ['GetItem', 'PutItem'] } },
});
