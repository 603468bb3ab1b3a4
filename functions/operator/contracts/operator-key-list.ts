import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { described } from '../../shared/fields/described.ts';
import { Scope } from '../operator-keys/schemas.ts';

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

export const route = defineRoute({
  method: 'GET',
  path: '/api/operator/keys',
  summary: 'Lists the operator keys that have neither expired nor been revoked, oldest first.',
  auth: 'operator',
  operatorScope: 'admin',
  response: OperatorKeyList,
  errors: { failed: 'server_error', also: ['invalid_token'] },
  grants: { table: { OPERATOR: ['Query'] } },
});
