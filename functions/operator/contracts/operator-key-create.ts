import { defineRoute } from '../../shared/contract/route.ts';
import { CreatedKey } from '../applications/schemas.ts';
import { CreateOperatorKeyRequest } from '../operator-keys/schemas.ts';
import { adminRoute, errors } from './common.ts';

export const route = defineRoute({
  method: 'POST',
  path: '/api/operator/keys',
  summary: 'Creates an operator key for a person, which is shown only once.',
  description: [
    'Each person has a key of their own, with the scopes that they need: decisions on links and audit records name them.',
    'The first key is created by `npm run operator -- bootstrap`.',
  ].join('\n'),
  ...adminRoute,
  body: CreateOperatorKeyRequest,
  response: CreatedKey,
  status: 201,
  errors: { ...errors, also: ['invalid_token'] },
  grants: { table: { OPERATORKEY: ['PutItem'], OPERATOR: ['PutItem'], AUDIT: ['PutItem'] } },
});
