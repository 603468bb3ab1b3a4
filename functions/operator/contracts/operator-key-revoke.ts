import * as z from 'zod/mini';
import { RevokedKey } from '../../applications/schemas.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { revocationSeconds } from '../../shared/contract/secret.ts';
import { described } from '../../shared/fields/described.ts';

const OperatorKeyPath = z.object({
  keyId: z.string().check(z.minLength(1), z.maxLength(128), described('The `keyId` of the operator key.')),
});

export const route = defineRoute({
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
  auth: 'operator',
  operatorScope: 'admin',
  params: OperatorKeyPath,
  response: RevokedKey,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found'] },
  grants: {
    table: { OPERATOR: ['GetItem', 'DeleteItem'], OPERATORKEY: ['DeleteItem'] },
  },
});
