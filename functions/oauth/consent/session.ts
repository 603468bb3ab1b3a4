/**
 * The browser session of the consent page: one cookie with a random token.
 *
 * Before the sign-in the token is not stored; it binds the forms and the mailed code to the browser. The
 * sign-in replaces it with a new token and stores the SHA-256 of that one for 15 minutes. A token from before
 * the sign-in therefore never becomes an authenticated one (session fixation).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { minuteMs } from '../../shared/runtime/duration.ts';

export const sessionLifetimeMs = 15 * minuteMs;

const baseName = 'vouchsafe-consent';

/**
 * `__Host-` binds the cookie to this host, so that a sibling host cannot plant it. Browsers accept the prefix
 * over https only, so the local stack, which uses http, omits it. RFC 6265bis section 4.1.3.
 */
const cookieName = (baseUrl: string): string => (isSecure(baseUrl) ? `__Host-${baseName}` : baseName);
const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:');

/** The session token of a `Cookie` header. Undefined when it is missing, malformed or ambiguous. */
export function sessionToken(cookieHeader: string | undefined, baseUrl: string): string | undefined {
  const prefix = `${cookieName(baseUrl)}=`;
  const tokens = (cookieHeader ?? '')
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(prefix))
    .map((cookie) => cookie.slice(prefix.length));
  const [token, ...more] = tokens;
  // Of two cookies with the same name one was planted, and they cannot be distinguished.
  return more.length === 0 && token !== undefined && /^[\w-]{22}$/.test(token) ? token : undefined;
}

/**
 * `Set-Cookie` for a token. Lax: the user arrives from the application's site, and the session has to be sent
 * then.
 */
export function sessionCookie(token: string, baseUrl: string): string {
  const secure = isSecure(baseUrl) ? '; Secure' : '';
  return `${cookieName(baseUrl)}=${token}; Path=/; Max-Age=${sessionLifetimeMs / 1000}; HttpOnly; SameSite=Lax${secure}`;
}

/**
 * The anti-forgery token of every form. It cannot be made without the cookie, and differs for each session.
 */
export function formTokenOf(token: string): string {
  return derive(token, 'form');
}

/** Whether a submitted form token belongs to the session. Compared in constant time. */
export function isFormTokenValid(token: string, submitted: string | undefined): boolean {
  const expected = Buffer.from(formTokenOf(token));
  const actual = Buffer.from(submitted ?? '');
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** The mailed code as stored and compared: bound to the browser that requested it. */
export function bindCodeToSession(token: string, code: string): string {
  return derive(token, 'code', code);
}

/**
 * The random part of an authorization code, derived from the session and the request: a request that is
 * allowed twice yields the same code and not a second one.
 */
export function authorizationCodeOf(token: string, ...request: string[]): string {
  return derive(token, 'authorization', ...request);
}

function derive(token: string, ...parts: string[]): string {
  return createHmac('sha256', token).update(JSON.stringify(parts)).digest('base64url');
}
