import * as oauth from 'oauth4webapi';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { newWorld, type World } from '../../../support/browser/world.ts';
import { formWith } from '../../../support/samples/forms.ts';
import { stackOfWorker } from '../../../support/subscriptions/stack.ts';

const overHttp = { [oauth.allowInsecureRequests]: true };
let world: World;
let server: oauth.AuthorizationServer;
let cookie = '';

beforeAll(async () => {
  const stack = await stackOfWorker();
  // Beyond the hour in which codes are counted.
  await stack.clockBy(3_601);
  world = await newWorld(stack.url, stack.url, undefined, 'library-user');
  const issuer = new URL(world.url);
  const response = await oauth.discoveryRequest(issuer, { ...overHttp, algorithm: 'oauth2' });
  server = await oauth.processDiscoveryResponse(issuer, response);
});

async function page(url: string, fields?: Record<string, string>): Promise<Response> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { cookie },
    ...defined({ method: fields && 'POST', body: fields && new URLSearchParams(fields) }),
  });
  cookie = response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? cookie;
  return response;
}

/**
 * The user's part between the application's two requests. Returns the URI that the browser is redirected to.
 */
async function consent(authorizationUrl: URL, decision: 'allow' | 'deny'): Promise<URL> {
  const endpoint = server.authorization_endpoint ?? '';
  let html = await (await page(authorizationUrl.href)).text();
  if (html.includes('name="email"')) {
    html = await (
      await page(endpoint, { ...formWith(html, 'send'), step: 'send', email: world.user.email })
    ).text();
    const code = await world.mailedCode();
    const signedIn = await page(endpoint, { ...formWith(html, 'sign-in'), step: 'sign-in', code });
    html = await (await page(new URL(signedIn.headers.get('location') ?? '', endpoint).href)).text();
  }
  const done = await page(endpoint, { ...formWith(html, decision), step: decision });
  expect(done.status).toBe(303);
  return new URL(done.headers.get('location') ?? '');
}

async function authorize(decision: 'allow' | 'deny') {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const client: oauth.Client = { client_id: world.application.clientId };
  const url = new URL(server.authorization_endpoint ?? '');
  url.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: world.application.redirectUri,
    response_type: 'code',
    state,
    scope: 'profile vault',
    code_challenge_method: 'S256',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  }).toString();
  const redirect = await consent(url, decision);
  return { client, verifier, parameters: () => oauth.validateAuthResponse(server, client, redirect, state) };
}

test('the metadata describes the issuer and its capabilities', () => {
  expect(server).toMatchObject({
    issuer: world.url,
    authorization_response_iss_parameter_supported: true,
    code_challenge_methods_supported: ['S256'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
  });
});

test.each([
  ['client_secret_basic', () => oauth.ClientSecretBasic(world.application.clientSecret)],
  ['client_secret_post', () => oauth.ClientSecretPost(world.application.clientSecret)],
] as const)('an OAuth client library completes code, refresh and revocation with %s', async (_, proof) => {
  const { client, verifier, parameters } = await authorize('allow');
  const redeemed = await oauth.authorizationCodeGrantRequest(
    ...([server, client, proof(), parameters(), world.application.redirectUri, verifier, overHttp] as const),
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, redeemed);
  expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'profile vault' });

  const refreshed = await oauth.refreshTokenGrantRequest(
    ...([server, client, proof(), tokens.refresh_token ?? '', overHttp] as const),
  );
  const next = await oauth.processRefreshTokenResponse(server, client, refreshed);
  expect(next.access_token).not.toBe(tokens.access_token);

  const url = new URL(`${world.url}/api/vault`);
  const vaultStatus = async () => {
    const headers = new Headers({ 'x-device-id': 'client-unknown' });
    const options = { ...overHttp };
    return oauth
      .protectedResourceRequest(next.access_token, 'GET', url, headers, undefined, options)
      .then(({ status }) => status);
  };
  // The token is valid; the device is missing.
  expect(await vaultStatus()).toBe(403);
  const revoked = await oauth.revocationRequest(
    ...([server, client, proof(), next.refresh_token ?? '', overHttp] as const),
  );
  await oauth.processRevocationResponse(revoked);
  const after = await oauth.refreshTokenGrantRequest(
    ...([server, client, proof(), next.refresh_token ?? '', overHttp] as const),
  );
  await expect(oauth.processRefreshTokenResponse(server, client, after)).rejects.toMatchObject({
    error: 'invalid_grant',
  });
  await (await stackOfWorker()).clockBy(30);
  expect(await vaultStatus()).toBe(401);
});

test('a denial reaches the client as an authorization error with the expected issuer', async () => {
  const { parameters } = await authorize('deny');
  expect(parameters).toThrow(oauth.AuthorizationResponseError);
});
