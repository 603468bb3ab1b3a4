import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { revocationSeconds } from '../../shared/contract/secret.ts';
import { parameter } from '../authorization/parameters.ts';
import { ClientHeaders, clientCredentials } from '../tokens/requests.ts';
import { clientAuthentication, tokenErrors } from './common.ts';

/** RFC 7009 section 2.1. */
const RevocationRequest = z.object({
  token: parameter('The token to revoke.'),
  token_type_hint: parameter('`access_token` or `refresh_token`. Not needed.'),
  ...clientCredentials,
});

export const route = defineRoute({
  method: 'POST',
  path: '/api/oauth/revoke',
  operationId: 'revokeToken',
  summary: 'Revokes a token: RFC 7009.',
  description: [
    'An access token is revoked alone. A refresh token, current or rotated, is revoked with all tokens of',
    'its consent, of which `consent.withdrawn` tells. A revoked token stops working everywhere within',
    `${revocationSeconds} seconds. The response is the same for a token that is unknown or belongs to another application, and`,
    'nothing is revoked then.',
    '',
    clientAuthentication,
  ].join('\n'),
  auth: 'none',
  headers: ClientHeaders,
  body: RevocationRequest,
  bodyType: 'form',
  response: z.object({}),
  errors: tokenErrors,
  cors: true,
  grants: {
    table: {
      APP: ['GetItem'],
      EVENT: ['PutItem'],
      GRANT: ['GetItem', 'PutItem'],
      RATE: ['UpdateItem'],
      CLIENTSECRET: ['GetItem'],
      ACCESSTOKEN: ['GetItem', 'DeleteItem'],
      REFRESHTOKEN: ['GetItem', 'DeleteItem'],
    },
    uses: ['applicationRate'],
  },
});
