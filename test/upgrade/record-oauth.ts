import { createHash } from 'node:crypto';
import { mailedCode, ok, type Tenants } from './records.ts';
import type { StackAt } from './stack.ts';

/** The PKCE verifier of a request. An authorization request with PKCE is allowed once, so each has one of its own. */
const verifierOf = (state: string) => `the-verifier-of-the-fixtures-has-at-least-43-characters-${state}`;
const formType = { 'content-type': 'application/x-www-form-urlencoded' };
const consentPage = '/oauth/authorize/consent';

/** The parameters of an authorization request. */
export function authorizationRequest({ offline }: Tenants, state: string): Record<string, string> {
  return {
    response_type: 'code',
    client_id: offline._id,
    redirect_uri: 'https://app.example/callback',
    scope: 'profile trust_links:write',
    state,
    code_challenge: createHash('sha256').update(verifierOf(state)).digest('base64url'),
    code_challenge_method: 'S256',
  };
}

/** A browser on the consent page, or on another page that people sign in to. The session is the value of its cookie. */
export class ConsentBrowser {
  readonly #stack: StackAt;
  readonly #request: Record<string, string>;
  readonly #page: string;
  cookie: string;

  constructor(stack: StackAt, request: Record<string, string>, cookie = '', page = consentPage) {
    this.#stack = stack;
    this.#request = request;
    this.#page = page;
    this.cookie = cookie;
  }

  /** Opens the page and submits its form with a button. @returns the response. */
  async submit(step: string, more: Record<string, string> = {}) {
    const query = new URLSearchParams(this.#request);
    const opened = await this.#stack.send(`${this.#page}?${query}`, { headers: { cookie: this.cookie } });
    this.#keep(opened.headers);
    const form = /name="form" value="([^"]+)/.exec(opened.body)?.[1] ?? '';
    const body = new URLSearchParams({ ...this.#request, form, step, ...more }).toString();
    const headers = { ...formType, cookie: this.cookie };
    const answer = await this.#stack.send(this.#page, { method: 'POST', headers, body });
    this.#keep(answer.headers);
    return answer;
  }

  /** Allows the request. @returns the authorization code. */
  async allow(): Promise<string> {
    const { headers } = await this.submit('allow');
    return new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
  }

  #keep(headers: Headers): void {
    this.cookie = headers.getSetCookie()[0]?.split(';', 1)[0] ?? this.cookie;
  }
}

/** A request to the token endpoint, with the application's credentials. */
async function requestTokens(stack: StackAt, { offline }: Tenants, fields: Record<string, string>) {
  const credentials = { client_id: offline._id, client_secret: offline.clientSecret };
  return stack.send('/api/oauth/token', {
    method: 'POST',
    headers: formType,
    body: new URLSearchParams({ ...fields, ...credentials }).toString(),
  });
}

/** Redeems an authorization code. */
export const redeem = (stack: StackAt, tenants: Tenants, state: string, code: string) =>
  requestTokens(stack, tenants, {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifierOf(state),
    redirect_uri: 'https://app.example/callback',
  });

export const refresh = (stack: StackAt, tenants: Tenants, refreshToken: string) =>
  requestTokens(stack, tenants, { grant_type: 'refresh_token', refresh_token: refreshToken });

/** Tokens, a session of the consent page and one of the account page, a sign-in code, and an authorization code, which is valid for 60 seconds. */
export async function createGrants(stack: StackAt, tenants: Tenants) {
  const { email } = tenants.user;
  const browser = new ConsentBrowser(stack, authorizationRequest(tenants, 'first'));
  await stack.clockBy(61);
  await browser.submit('send', { email });
  await browser.submit('sign-in', { email, code: await mailedCode(stack, email) });
  const tokens = ok(await redeem(stack, tenants, 'first', await browser.allow()));
  const rotated = ok(await refresh(stack, tenants, tokens.refresh_token));
  const account = new ConsentBrowser(stack, {}, '', '/account');
  await stack.clockBy(61);
  await account.submit('send', { email });
  await account.submit('sign-in', { email, code: await mailedCode(stack, email) });
  const other = new ConsentBrowser(stack, authorizationRequest(tenants, 'other'));
  await stack.clockBy(61);
  await other.submit('send', { email });
  const signInCode = await mailedCode(stack, email);
  const { cookie } = browser;
  const code = await new ConsentBrowser(stack, authorizationRequest(tenants, 'second'), cookie).allow();
  return {
    access: String(rotated.access_token),
    refresh: String(rotated.refresh_token),
    replaced: String(tokens.refresh_token),
    session: cookie,
    signIn: { cookie: other.cookie, code: signInCode },
    /** For the request `second`. */
    code,
  };
}
