import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { revocationSeconds } from '../../shared/contract/secret.ts';
import { ApplicationPath, pathId, RevokedKey } from '../schemas.ts';

const KeyPath = z.object({ ...ApplicationPath.shape, keyId: pathId('The `keyId` of the key.') });

export const route = defineRoute({
  method: 'DELETE',
  path: '/api/operator/applications/{id}/keys/{keyId}',
  words: {
    title: 'Revoke the key',
    question: `Everything that still uses this key stops working within ${revocationSeconds} seconds. With the last key, all that users granted the application ends. Revoke it?`,
    notice: 'The key is revoked.',
  },
  operationId: 'revokeApplicationKey',
  summary: `Revokes a key of an application. It stops working within ${revocationSeconds} seconds.`,
  description: [
    'With the last key that has not expired, all that users granted the application ends, and expired keys are removed:',
    'authorization codes and refresh tokens end at once,',
    `access tokens within ${revocationSeconds} seconds. A key that is created later does not restore them. Without any key, an`,
    'application gets no tokens. The expiry of a key ends no tokens.',
  ].join('\n'),
  auth: 'operator',
  operatorScope: 'admin',
  params: KeyPath,
  response: RevokedKey,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found', 'conflict'] },
  grants: {
    table: {
      APP: ['GetItem', 'UpdateItem'],
      CLIENTSECRET: ['DeleteItem'],
      APIKEY: ['DeleteItem'],
    },
  },
});
