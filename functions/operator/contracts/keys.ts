import * as z from 'zod/mini';
import { CreatedKey, CreateKeyRequest, RevokedKey } from '../../applications/schemas.ts';
import { defineRoute, idempotencyErrors, operatorRoute } from '../../shared/contract/route.ts';
import { revocationSeconds } from '../../shared/contract/secret.ts';
import { described } from '../../shared/fields/described.ts';
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

export const operatorKeyCreateRoute = defineRoute({
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
  ...operatorRoute('admin', 'conflict', ...idempotencyErrors),
  headers: IdempotencyHeaders,
  body: CreateOperatorKeyRequest,
  response: CreatedKey,
  status: 201,
  grants: {
    table: { OPERATORKEY: ['PutItem'], OPERATOR: ['PutItem'], IDEMPOTENCY: ['GetItem', 'PutItem'] },
  },
});

const time = z.iso.datetime();

export const OperatorKeySchema = z.object({
  keyId: z.string(),
  name: z.string(),
  scopes: z.array(Scope),
  hint: z.string().check(described('The first characters of the secret.')),
  createdAt: time,
  createdBy: z
    .object({ id: z.string(), name: z.string() })
    .check(
      described('The operator key that created it; itself for a key of `npm run operator -- bootstrap`.'),
    ),
  expiresAt: z.optional(time),
});

const OperatorKeyList = z.object({
  keys: z.array(OperatorKeySchema),
});

export const operatorKeyListRoute = defineRoute({
  method: 'GET',
  path: '/api/operator/keys',
  summary: 'Lists the operator keys that have neither expired nor been revoked, oldest first.',
  auth: 'operator',
  operatorScope: 'admin',
  response: OperatorKeyList,
  errors: { failed: 'server_error', also: ['invalid_token'] },
  grants: { table: { OPERATOR: ['Query'] } },
});

const OperatorKeyPath = z.object({
  keyId: z.string().check(z.minLength(1), z.maxLength(128), described('The `keyId` of the operator key.')),
});

export const operatorKeyRevokeRoute = defineRoute({
  method: 'DELETE',
  path: '/api/operator/keys/{keyId}',
  words: {
    title: 'Revoke the operator key',
    question: `Everything that still uses this key stops working within ${revocationSeconds} seconds. Revoke it?`,
    notice: 'The operator key is revoked.',
  },
  summary: `Revokes an operator key. It stops working within ${revocationSeconds} seconds.`,
  description:
    'A key can revoke itself. After the last one, `npm run operator -- bootstrap` creates another.',
  ...operatorRoute('admin', 'not_found'),
  params: OperatorKeyPath,
  response: RevokedKey,
  grants: {
    table: { OPERATOR: ['GetItem', 'DeleteItem'], OPERATORKEY: ['DeleteItem'] },
  },
});
