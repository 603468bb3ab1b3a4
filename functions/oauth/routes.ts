import * as z from 'zod/mini';
import { formRoute } from '../shared/contract/form-route.ts';
import { htmlType, page, pageHeaders, redirect, redirectHeaders } from '../shared/contract/headers.ts';
import { defineRoute, type Routes } from '../shared/contract/route.ts';
import { revocationSeconds } from '../shared/contract/secret.ts';
import { CookieHeaders } from '../shared/fields/cookie-headers.ts';
import { AuthorizationParameters, parameter } from './authorization/parameters.ts';
import { ClientHeaders, clientCredentials, TokenRequest } from './tokens/requests.ts';
import { TokenResponse } from './tokens/responses.ts';

const errors = { invalid: 'oauth_invalid_request', failed: 'oauth_failed' } as const;

const clientAuthentication = [
  'The application authenticates with HTTP Basic (`client_secret_basic`), or with `client_id` and',
  '`client_secret` in the body (`client_secret_post`). A public application sends its `client_id` alone',
  '(`none`).',
].join('\n');

const tokenErrors = {
  ...errors,
  also: ['oauth_invalid_client', 'oauth_limited'],
} as const;

export const consentShowRoute = defineRoute({
  method: 'GET',
  path: '/oauth/authorize/consent',
  ofContract: 'path',
  summary: 'Shows the page on which a user grants an application access, or denies it.',
  description: [
    "Redirect the user's browser to this page. The user signs in with a code sent by e-mail, sees the",
    'requested scopes, and allows or denies them. The browser is then redirected to `redirect_uri` with',
    '`code`, `state` and `iss` (RFC 6749, RFC 9207).',
    '',
    'When the `client_id` is unknown, the `redirect_uri` is not registered, or a parameter is repeated,',
    'the page shows the error and does not redirect. Any other error is sent to `redirect_uri` as `error`.',
  ].join('\n'),
  auth: 'none',
  // A sign-in shows up to three pages, which is two for each form.
  throttle: { ratePerSecond: 100, burst: 200 },
  headers: CookieHeaders,
  query: z.extend(AuthorizationParameters, {
    notice: parameter('`expired` when the page redirects to its own start. Not for applications.'),
  }),
  response: z.string(),
  responseHeaders: [...pageHeaders, 'set-cookie'],
  produces: htmlType,
  otherResponses: [
    redirect('The request is not valid: redirects to `redirect_uri` with `error`.'),
    page(400, 'The application or its `redirect_uri` is unknown. The page says so, and does not redirect.'),
  ],
  errorPages: true,
  errors,
  grants: { table: { APP: ['GetItem'], CONSENT: ['GetItem'], USER: ['GetItem'] } },
});

export const consentSubmitRoute = defineRoute({
  ...formRoute,
  path: '/oauth/authorize/consent',
  summary: 'Receives the forms of the consent page. Not for applications.',
  description: [
    "A form carries the parameters of the authorization request, an anti-forgery token and the user's",
    'choice. The response is the next page or a redirect. From one client address, at most 3 codes are',
    'sent and 10 codes are tried in any 60 seconds. The caps of POST /api/auth/mfa/send and verify apply',
    'as well, and codes of both count together. A request over a limit gets the page with status 429.',
  ].join('\n'),
  // A sign-in sends three forms, of which one mails a code: 14 to 17 mails a second, the rate of SES.
  throttle: { ratePerSecond: 50, burst: 100 },
  headers: CookieHeaders,
  body: z.extend(AuthorizationParameters, {
    form: parameter('The anti-forgery token of the form.'),
    step: parameter('`send`, `resend`, `sign-in`, `allow`, `deny` or `switch`.'),
    email: parameter('The e-mail address to sign in with.'),
    code: parameter('The code from the e-mail.'),
    ticket: parameter('Without PKCE: identifies the form, so that a repeated submission is recognized.'),
  }),
  responseHeaders: [...redirectHeaders, 'set-cookie'],
  otherResponses: [
    page(200, 'The next page.', 'set-cookie'),
    page(400, 'The form is incomplete, or the code is wrong. The page says which.', 'set-cookie'),
    page(403, 'The form belongs to another session, or the user cannot sign in.'),
    page(409, 'The user has answered this request before.'),
    page(429, 'Too many codes were sent or tried.', 'set-cookie', 'retry-after'),
  ],
  errors,
  grants: {
    table: {
      ADDRESS: ['GetItem'],
      APP: ['GetItem'],
      CODE: ['PutItem', 'UpdateItem'],
      CONSENT: ['GetItem', 'PutItem', 'DeleteItem'],
      MAILBOX: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'],
      RATE: ['GetItem', 'UpdateItem'],
      AUTHORIZATIONCODE: ['GetItem', 'PutItem'],
      USER: ['GetItem'],
    },
    uses: ['mail', 'deploymentKey'],
  },
});

export const tokenRoute = defineRoute({
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

/** RFC 7009 section 2.1. */
const RevocationRequest = z.object({
  token: parameter('The token to revoke.'),
  token_type_hint: parameter('`access_token` or `refresh_token`. Not needed.'),
  ...clientCredentials,
});

export const revokeRoute = defineRoute({
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

const ServerMetadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  revocation_endpoint: z.string(),
  service_documentation: z.string(),
  scopes_supported: z.array(z.string()),
  response_types_supported: z.array(z.string()),
  response_modes_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  revocation_endpoint_auth_methods_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()),
  authorization_response_iss_parameter_supported: z.boolean(),
});

export const metadataRoute = defineRoute({
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  operationId: 'getAuthorizationServerMetadata',
  summary: 'Describes the authorization server: RFC 8414.',
  auth: 'none',
  response: ServerMetadata,
  errors: { failed: 'oauth_failed' },
  cors: true,
  grants: {},
});

export const routes = {
  'consent-show': consentShowRoute,
  'consent-submit': consentSubmitRoute,
  token: tokenRoute,
  revoke: revokeRoute,
  metadata: metadataRoute,
} satisfies Routes;
