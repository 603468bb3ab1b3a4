/** The authorization code flow with PKCE, as an application's server runs it. Each step is reported as it is done. */
import * as oauth from 'oauth4webapi';
import { createClient, type VouchsafeError } from '../client/api.ts';
import type { Application } from './application.ts';
import { demoSeconds, Failure } from './failure.ts';

/** One step, as the terminal and the page show it. */
export interface Step {
  readonly title: string;
  /** The request without secrets. */
  readonly request: string;
  readonly result: string;
}

/** An application's side of the flow. */
export interface Flow {
  readonly server: oauth.AuthorizationServer;
  readonly application: Application;
  /** The address of the API, without a trailing slash. */
  readonly url: string;
  readonly redirectUri: string;
  readonly scope: string;
}

/** An authorization request that was sent to the browser. What it must remember stays on the application's server. */
export interface Authorization {
  readonly url: URL;
  readonly state: string;
  readonly verifier: string;
}

/** Plain HTTP is allowed because the command line refuses it for every other machine. */
const options = () => ({
  [oauth.allowInsecureRequests]: true,
  signal: AbortSignal.timeout(demoSeconds * 1000),
});

/**
 * The metadata of the server: RFC 8414. Below a stage of API Gateway it follows the stage, so its address is not derived
 * as in section 3.1.
 */
export async function discover(url: string): Promise<oauth.AuthorizationServer> {
  const response = await fetch(`${url}/.well-known/oauth-authorization-server`, { signal: options().signal });
  return oauth.processDiscoveryResponse(new URL(url), response);
}

/** Builds an authorization request: RFC 6749 section 4.1.1, with PKCE (RFC 7636). */
export async function authorizationRequest(flow: Flow): Promise<Authorization> {
  const state = oauth.generateRandomState();
  const verifier = oauth.generateRandomCodeVerifier();
  const url = new URL(flow.server.authorization_endpoint ?? '');
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: flow.application.clientId,
    redirect_uri: flow.redirectUri,
    scope: flow.scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  return { url, state, verifier };
}

/**
 * Completes the flow from the callback to the end of the tokens, and reports each step.
 *
 * @throws Failure when the user or the server refused, or what the library throws for a response that is not valid.
 */
export async function complete(
  flow: Flow,
  { url, state, verifier }: Authorization,
  callback: URL,
  report: (step: Step) => void,
): Promise<void> {
  const { server, application, redirectUri } = flow;
  const client: oauth.Client = { client_id: application.clientId };
  const proof = oauth.ClientSecretBasic(application.clientSecret);
  report({
    title: 'The user was sent to the consent page',
    request: `GET ${url.pathname} with response_type=code, scope=${flow.scope}, state and code_challenge`,
    result: 'They signed in with a mailed code, and answered.',
  });
  const parameters = validated(server, client, callback, state);
  report({
    title: 'The browser came back',
    request: `GET ${callback.pathname} with ${[...callback.searchParams.keys()].join(', ')}`,
    result: 'state is the one that was sent, and iss names this server: the code is for us.',
  });

  const code = await oauth.authorizationCodeGrantRequest(
    ...([server, client, proof, parameters, redirectUri, verifier, options()] as const),
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, code);
  report({
    title: 'The code was exchanged for tokens',
    request: 'POST /api/oauth/token with grant_type=authorization_code and the code_verifier',
    result: `${shortened(tokens.access_token)} for ${tokens.expires_in} seconds, scope ${tokens.scope}`,
  });
  report(await callApi(flow, tokens.access_token));

  const refreshed = await oauth.refreshTokenGrantRequest(
    ...([server, client, proof, tokens.refresh_token ?? '', options()] as const),
  );
  const next = await oauth.processRefreshTokenResponse(server, client, refreshed);
  report({
    title: 'The refresh token was exchanged for new tokens',
    request: 'POST /api/oauth/token with grant_type=refresh_token',
    result: `${shortened(next.access_token)}, and another refresh token`,
  });

  const refreshToken = next.refresh_token ?? '';
  const revocation = await oauth.revocationRequest(server, client, proof, refreshToken, options());
  await oauth.processRevocationResponse(revocation);
  const again = await oauth.refreshTokenGrantRequest(server, client, proof, refreshToken, options());
  const outcome = await oauth
    .processRefreshTokenResponse(server, client, again)
    .then(() => 'still valid')
    .catch((error: unknown) => (error instanceof oauth.ResponseBodyError ? error.error : String(error)));
  if (outcome !== 'invalid_grant') throw new Failure(`After its revocation the refresh token is ${outcome}.`);
  report({
    title: 'The tokens were revoked',
    request: 'POST /api/oauth/revoke, then POST /api/oauth/token with the revoked token',
    result: outcome,
  });
}

/** The parameters of a callback, checked: `state` (RFC 6749 section 10.12) and `iss` (RFC 9207). */
function validated(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  callback: URL,
  state: string,
): URLSearchParams {
  try {
    return oauth.validateAuthResponse(server, client, callback, state);
  } catch (error) {
    if (!(error instanceof oauth.AuthorizationResponseError)) throw error;
    if (error.error === 'access_denied') throw new Failure('The user denied it. No token was issued.');
    throw new Failure(
      `The server refused the request: ${error.error}. ${error.error_description ?? ''}`.trimEnd(),
    );
  }
}

async function callApi({ url }: Flow, accessToken: string): Promise<Step> {
  const request = 'GET /api/trust-links?limit=5 with the access token';
  const title = 'The API was called for the user';
  const result = await createClient({ url, key: accessToken })
    .listLinks({ limit: 5 })
    .then(({ trustLinks }) => `200 with ${trustLinks.length} of the user's links`)
    .catch((error: VouchsafeError) => {
      // A scope other than `profile` or `trust_links:write` may not read links: that is the API's answer, and no failure here.
      if (error.code === 'insufficient_scope') return '403, as the scope does not allow it';
      throw new Failure(`The API did not answer: ${error.code}. ${error.message}`);
    });
  return { title, request, result };
}

/** Enough of a token to recognize it, and too little to use it. */
const shortened = (token: string) => `${token.slice(0, 8)}...`;
