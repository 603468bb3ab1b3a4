import { defineRoute } from '../../shared/contract/route.ts';
import { ClientHeaders, TokenRequest } from '../tokens/requests.ts';
import { TokenResponse } from '../tokens/responses.ts';
import { clientAuthentication, tokenErrors } from './common.ts';

export const route = defineRoute({
  method: 'POST',
  path: '/api/oauth/token',
  ofContract: 'path',
  operationId: 'createToken',
  summary: 'Issues tokens for an authorization code or a refresh token.',
  description: [
    'An authorization code can be redeemed once, within 60 seconds. A second attempt revokes the tokens',
    'that it yielded. The first one begins the consent, of which `consent.granted` tells.',
    '',
    'An access token is valid for one hour. A refresh token is rotated at each use and expires 30 days',
    'after the last use. Sent again within 10 seconds of its rotation, for example after a lost response,',
    'it yields the same tokens again. Sent again later, it is considered stolen, and all tokens of that',
    'consent are revoked.',
    '',
    'Codes and tokens also end when an operator revokes the grant, while the user is suspended, when their credentials are',
    'reset, and when the last key of the application is revoked: `invalid_grant`. An application without any key gets',
    '`invalid_client`. Ask the user again.',
    '',
    clientAuthentication,
  ].join('\n'),
  auth: 'none',
  headers: ClientHeaders,
  body: TokenRequest,
  bodyType: 'form',
  response: TokenResponse,
  errors: {
    ...tokenErrors,
    also: [...tokenErrors.also, 'oauth_invalid_grant', 'oauth_unsupported_grant_type', 'oauth_invalid_scope'],
  },
  cors: true,
  grants: {
    table: {
      APP: ['GetItem'],
      EVENT: ['PutItem'],
      GRANT: ['GetItem', 'PutItem', 'UpdateItem'],
      RATE: ['UpdateItem'],
      CLIENTSECRET: ['GetItem'],
      AUTHORIZATIONCODE: ['GetItem', 'PutItem'],
      ACCESSTOKEN: ['PutItem', 'DeleteItem'],
      REFRESHTOKEN: ['GetItem', 'PutItem', 'DeleteItem'],
      USER: ['GetItem'],
    },
    uses: ['applicationRate'],
  },
});
