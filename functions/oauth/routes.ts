import * as z from 'zod/mini';
import { defineRoutes } from '../shared/contract/route.ts';
import { AuthorizationParameters, parameter } from './parameters.ts';

const page = 'text/html; charset=utf-8';
const errors = { invalid: 'oauth_invalid_request', failed: 'oauth_failed' } as const;
const cookie = z.object({ cookie: z.optional(z.string()) });
const clientProof = z.object({ authorization: z.optional(z.string()) });
const client = {
  client_id: parameter("The application's id, unless the Authorization header names it."),
  client_secret: parameter('The client secret, unless the Authorization header carries it.'),
};
const tokenErrors = {
  ...errors,
  also: ['oauth_invalid_client', 'oauth_limited'],
} as const;
const clientRules = [
  'The application proves itself by HTTP Basic (`client_secret_basic`), by `client_id` and `client_secret` in the body',
  '(`client_secret_post`), or, set up as public, names itself by `client_id` alone (`none`).',
].join('\n');

const TokenAnswer = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int().check(z.meta({ description: 'Seconds.' })),
  refresh_token: z.string(),
  scope: z.string(),
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

export const routes = defineRoutes({
  consent: {
    method: 'GET',
    path: '/oauth/authorize/consent',
    summary: 'The page on which a user allows an application to act for him, or denies it.',
    description: [
      'Send the user here in a browser. He signs in with a mailed code, sees what the application asks for, and is sent to',
      '`redirect_uri` with `code`, `state` and `iss` (RFC 6749, RFC 9207). With an unknown `client_id` or a `redirect_uri` that',
      'is not registered he is told so here and sent nowhere; any other error goes to `redirect_uri` as `error`. A parameter',
      'that is given twice is refused here too.',
    ].join('\n'),
    auth: 'none',
    headers: cookie,
    query: z.extend(AuthorizationParameters, {
      notice: parameter('`expired` when the page itself sends the user back to its start.'),
    }),
    response: z.string(),
    produces: page,
    errors,
    grants: { table: { APP: ['GetItem'], CONSENT: ['GetItem'], USER: ['GetItem'] } },
  },
  authorize: {
    method: 'POST',
    path: '/oauth/authorize/consent',
    summary: 'What the forms of the consent page send; not for programs.',
    description: [
      'Carries the parameters of the page, the token of its form, and what the user chose. Answers with the next page, or',
      'sends the browser on. At most 3 codes are sent in any 60 seconds, and 10 tried; over that the page comes with 429.',
    ].join('\n'),
    auth: 'none',
    headers: cookie,
    body: z.extend(AuthorizationParameters, {
      form: parameter('The token of the form.'),
      step: parameter('`send`, `resend`, `sign-in`, `allow`, `deny` or `switch`.'),
      email: parameter('The address to sign in with.'),
      code: parameter('The mailed code.'),
      ticket: parameter('Without PKCE: tells the same form sent twice from two.'),
    }),
    bodyType: 'form',
    response: z.string(),
    status: 303,
    produces: page,
    errors,
    grants: {
      table: {
        ADDRESS: ['GetItem'],
        APP: ['GetItem'],
        CODE: ['UpdateItem'],
        CONSENT: ['GetItem', 'PutItem', 'DeleteItem'],
        RATE: ['UpdateItem'],
        SECRET: ['GetItem', 'PutItem'],
        USER: ['GetItem'],
      },
      uses: ['mail', 'deploymentKey'],
    },
  },
  token: {
    method: 'POST',
    path: '/api/oauth/token',
    summary: 'Gives tokens for an authorization code or a refresh token.',
    description: [
      'A code works once, within 60 seconds; one that comes a second time ends the tokens it gave. An access token lives an',
      'hour. A refresh token is replaced at each use and lives 30 days from the last. The same refresh token within 10 seconds',
      'of its use gives the same tokens again; later it is taken for stolen, and all tokens of that consent end.',
      '',
      clientRules,
    ].join('\n'),
    auth: 'none',
    headers: clientProof,
    body: z.object({
      grant_type: parameter('`authorization_code` or `refresh_token`.', 'authorization_code'),
      code: parameter('The authorization code.'),
      redirect_uri: parameter('As in the authorization request; required when it was there.'),
      code_verifier: parameter('Of PKCE.'),
      refresh_token: parameter('The refresh token.'),
      scope: parameter('Fewer scopes than the user allowed, for the access token of a refresh.'),
      ...client,
    }),
    bodyType: 'form',
    response: TokenAnswer,
    errors: {
      ...tokenErrors,
      also: [
        ...tokenErrors.also,
        'oauth_invalid_grant',
        'oauth_unsupported_grant_type',
        'oauth_invalid_scope',
      ],
    },
    cors: true,
    grants: {
      table: {
        APP: ['GetItem'],
        FAMILY: ['GetItem', 'PutItem'],
        RATE: ['UpdateItem'],
        SECRET: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
        USER: ['GetItem'],
      },
    },
  },
  revoke: {
    method: 'POST',
    path: '/api/oauth/revoke',
    summary: 'Ends a token: RFC 7009.',
    description: [
      'An access token ends alone; a refresh token, the current one or one before it, ends all tokens of its consent. Within',
      "30 seconds they work nowhere. A token that is unknown, or another application's, is answered the same, and nothing is done.",
      '',
      clientRules,
    ].join('\n'),
    auth: 'none',
    headers: clientProof,
    body: z.object({
      token: parameter('The token to end.'),
      token_type_hint: parameter('`access_token` or `refresh_token`; not needed.'),
      ...client,
    }),
    bodyType: 'form',
    response: z.object({}),
    errors: tokenErrors,
    cors: true,
    grants: {
      table: {
        APP: ['GetItem'],
        FAMILY: ['GetItem', 'PutItem'],
        RATE: ['UpdateItem'],
        SECRET: ['GetItem', 'DeleteItem'],
      },
    },
  },
  metadata: {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    summary: 'What this authorization server can do, for programs: RFC 8414.',
    auth: 'none',
    response: ServerMetadata,
    errors: { failed: 'oauth_failed' },
    cors: true,
    grants: {},
  },
});
