/**
 * Who sits before the consent page: one cookie with a random token.
 *
 * Before the sign-in the token is kept nowhere; it ties the forms and the mailed code to this browser. With the
 * sign-in a new token takes its place, whose SHA-256 is kept for 15 minutes: a token from before never becomes a
 * signed-in one.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export const sessionLivesMs = 900_000;

const name = 'vouchsafe-consent';

/**
 * `__Host-` holds the cookie to this very host, so that no neighbouring one can plant it. Browsers ask for https
 * then; over plain http (a local stack) the name goes without. RFC 6265bis section 4.1.3.
 */
const cookieName = (baseUrl: string): string => (isSecure(baseUrl) ? `__Host-${name}` : name);
const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:');

/** The token of a `Cookie` header; undefined without one that can be ours. */
export function tokenOf(cookies: string | undefined, baseUrl: string): string | undefined {
  const wanted = `${cookieName(baseUrl)}=`;
  const found = (cookies ?? '')
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one.startsWith(wanted));
  const [token, ...more] = found.map((one) => one.slice(wanted.length));
  // Two of one name: one of them was planted, and nobody can say which.
  return more.length === 0 && token !== undefined && /^[\w-]{22}$/.test(token) ? token : undefined;
}

/** `Set-Cookie` for a token. Lax: the user comes from the application's site, and has to be known then. */
export function cookieFor(token: string, baseUrl: string): string {
  const secure = isSecure(baseUrl) ? '; Secure' : '';
  return `${cookieName(baseUrl)}=${token}; Path=/; Max-Age=${sessionLivesMs / 1000}; HttpOnly; SameSite=Lax${secure}`;
}

/** What every form carries: nobody without the cookie can make it, and that of another session is another. */
export function formToken(token: string): string {
  return keyed(token, 'form');
}

export function isFormToken(token: string, given: string | undefined): boolean {
  const expected = Buffer.from(formToken(token));
  const actual = Buffer.from(given ?? '');
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** The mailed code as it is stored and compared: it works in the browser that asked for it, and in no other. */
export function codeForBrowser(token: string, code: string): string {
  return keyed(token, 'code', code);
}

/**
 * The random part of the authorization code that a request gives, made from the session and the request: allowed
 * twice, it gives the same code and not a second one.
 */
export function codeOfRequest(token: string, ...request: string[]): string {
  return keyed(token, 'authorization', ...request);
}

function keyed(token: string, ...parts: string[]): string {
  return createHmac('sha256', token).update(JSON.stringify(parts)).digest('base64url');
}
