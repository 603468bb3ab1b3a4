import * as z from 'zod/mini';
import { CreatedKey, CreateKeyRequest } from '../../applications/schemas.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { idempotencyErrors, unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { IdempotencyHeaders } from '../../shared/fields/idempotency-key.ts';
import { lineField, notBlank } from '../../shared/fields/text.ts';
import { Scope } from '../operator-keys/schemas.ts';

const name = lineField(200).check(
  notBlank,
  z.meta({ description: 'The person who uses the key.', examples: ['Rita Reviewer'] }),
);

const Scopes = z.array(Scope).check(
  z.minLength(1),
  z.refine((scopes) => new Set(scopes).size === scopes.length, 'must differ from each other'),
);

const CreateOperatorKeyRequest = z.object({
  name,
  scopes: Scopes,
  expiresInDays: CreateKeyRequest.shape.expiresInDays,
});

export const route = defineRoute({
  method: 'POST',
  path: '/api/operator/keys',
  words: { title: 'Create an operator key' },
  summary: 'Creates an operator key for a person, which is shown only once.',
  description: [
    'Each person has a key of their own, with the scopes that they need: decisions on links and audit records name them.',
    'The first key is created by `npm run operator -- bootstrap`.',
    'With an `Idempotency-Key`, a repeated request within 24 hours creates no other key. It is a `conflict` that names the key: only the first',
    'response has its secret.',
  ].join('\n'),
  auth: 'operator',
  operatorScope: 'admin',
  headers: IdempotencyHeaders,
  body: CreateOperatorKeyRequest,
  response: CreatedKey,
  status: 201,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'conflict', ...idempotencyErrors] },
  grants: {
    table: { OPERATORKEY: ['PutItem'], OPERATOR: ['PutItem'], IDEMPOTENCY: ['GetItem', 'PutItem'] },
  },
});
