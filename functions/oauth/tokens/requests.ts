import * as z from 'zod/mini';
import { parameter } from '../authorization/parameters.ts';

export const ClientHeaders = z.object({ authorization: z.optional(z.string()) });

export const clientCredentials = {
  client_id: parameter("The application's id. Required without an `Authorization` header."),
  client_secret: parameter('The client secret, for `client_secret_post`.'),
};

/** RFC 6749 sections 4.1.3 and 6. */
export const TokenRequest = z.object({
  grant_type: parameter('`authorization_code` or `refresh_token`.', 'authorization_code'),
  code: parameter('The authorization code.'),
  redirect_uri: parameter(
    'The `redirect_uri` of the authorization request. Required when that request named one.',
  ),
  code_verifier: parameter('The PKCE code verifier.'),
  refresh_token: parameter('The refresh token.'),
  scope: parameter('With a refresh token: a subset of the granted scopes, for the new access token.'),
  ...clientCredentials,
});
export type TokenRequest = z.output<typeof TokenRequest>;
