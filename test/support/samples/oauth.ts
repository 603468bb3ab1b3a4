import { createHash, randomBytes } from 'node:crypto';
import { consentCookie } from '../../../functions/oauth/consent/session.ts';
import { findAddressOwner, getUser } from '../../../functions/shared/accounts/users.ts';
import { defined } from '../../../functions/shared/contract/defined.ts';
import { randomToken } from '../../../functions/shared/runtime/random.ts';
import { sessionLifetimeMs } from '../../../functions/shared/sign-in/session.ts';
import { consentSessions } from '../../../functions/shared/sign-in/session-store.ts';
import { type Answered, type Call, type Credentials, call, newTenant, newUser } from '../call.ts';
import { form, formType, formWith, PageBrowser, sentBack } from './forms.ts';

/** The base URL of the handlers in tests. */
export const issuer = 'https://api.test/test';

/** A PKCE pair of RFC 7636. */
export function newPkce() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** A valid authorization request of the tenant. `more` overrides parameters; undefined removes one. */
export function authorization(
  tenant: Pick<Credentials, 'applicationId' | 'redirectUri'>,
  challenge: string,
  more: Record<string, string | undefined> = {},
): Record<string, string> {
  const parameters = {
    client_id: tenant.applicationId,
    redirect_uri: tenant.redirectUri,
    response_type: 'code',
    scope: 'trust_links:write',
    state: 'state-1',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  };
  return Object.fromEntries(
    Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}

/** A browser on the consent page. */
export class Browser extends PageBrowser {
  constructor() {
    super({ show: 'oauth.consent-show', submit: 'oauth.consent-submit' });
  }
}

/** The query parameters of a redirect. */
export const redirectParameters = ({ headers }: Answered): Record<string, string> =>
  Object.fromEntries(new URL(headers.location ?? '').searchParams);

/** A browser that shows the consent form to a signed-in user. The session is stored as a sign-in does, without its mail. */
export async function signedInBrowser(query: Record<string, string>, email: string): Promise<Browser> {
  const browser = new Browser();
  const token = randomToken();
  const user = await getUser((await findAddressOwner(email)) ?? '');
  if (user === undefined) throw new Error(`${email} is nobody's`);
  const { userId, securityStamp } = user;
  const signedIn = { userId, email, ...defined({ securityStamp }) };
  await consentSessions.startAs(signedIn, token, Date.now() + sessionLifetimeMs);
  browser.cookie = sentBack(consentCookie.write(token, issuer));
  await browser.open(query);
  return browser;
}

/** An authorization code, and the token request that redeems it. `existing` are parties to take instead of new ones. */
export async function newGrant(
  more: Record<string, string | undefined> = {},
  settings = {},
  existing: { tenant?: Credentials; user?: { userId: string; email: string } } = {},
) {
  const { tenant = await newTenant(settings), user = await newUser() } = existing;
  const pkce = newPkce();
  const query = authorization(tenant, pkce.challenge, more);
  const browser = await signedInBrowser(query, user.email);
  const { code = '' } = redirectParameters(await browser.send('allow'));
  const redemption: Record<string, string> = {
    grant_type: 'authorization_code',
    code,
    code_verifier: pkce.verifier,
    ...defined({ redirect_uri: query.redirect_uri }),
  };
  return { tenant, user, pkce, query, browser, code, redemption };
}

export const basicCredentials = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});

/** The credentials in the body: `client_secret_post`. */
export const bodyCredentials = ({ applicationId, clientSecret }: Credentials) => ({
  client_id: applicationId,
  client_secret: clientSecret,
});

export function tokenCall(fields: Record<string, string>, headers: Record<string, string> = {}): Call {
  return { body: form(fields), headers: { ...formType, ...headers } };
}

export const requestTokens = (tenant: Credentials, fields: Record<string, string>): Promise<Answered> =>
  call('oauth.token', tokenCall({ ...fields, ...bodyCredentials(tenant) }));

export const requestRefresh = (
  tenant: Credentials,
  refresh_token: string,
  more: Record<string, string> = {},
) => requestTokens(tenant, { grant_type: 'refresh_token', refresh_token, ...more });

/** Tokens of a user for an application; both are new unless `existing` names them. */
export async function newTokens(...parameters: Parameters<typeof newGrant>) {
  const grant = await newGrant(...parameters);
  const { status, body, text } = await requestTokens(grant.tenant, grant.redemption);
  if (status !== 200) throw new Error(`No tokens: ${text}`);
  return {
    ...grant,
    access: body.access_token as string,
    refresh: body.refresh_token as string,
    answer: body,
  };
}

export const oauthSamples: Record<string, () => Call | Promise<Call>> = {
  'oauth.consent-show': async () => ({ query: authorization(await newTenant(), newPkce().challenge) }),
  'oauth.consent-submit': async () => {
    const browser = new Browser();
    await browser.open(authorization(await newTenant(), newPkce().challenge));
    const fields = { ...formWith(browser.page?.text ?? '', 'deny'), step: 'deny' };
    return { body: form(fields), headers: { ...formType, cookie: browser.cookie ?? '' } };
  },
  'oauth.token': async () => {
    const { tenant, redemption } = await newGrant();
    return tokenCall({ ...redemption, ...bodyCredentials(tenant) });
  },
  'oauth.revoke': async () => {
    const tenant = await newTenant();
    return tokenCall({ token: 'vat_unknown', ...bodyCredentials(tenant) });
  },
  'oauth.metadata': () => ({}),
};
