/**
 * The browser session of a page that people sign in to: one cookie with a random token.
 *
 * Before the sign-in the token is not stored; it binds the forms and the mailed code to the browser. The
 * sign-in replaces it with a new token and stores the SHA-256 of that one for 15 minutes. A token from before
 * the sign-in therefore never becomes an authenticated one (session fixation).
 */
import { createHmac } from 'node:crypto';
import { minuteMs } from '../runtime/clock.ts';
import { isEqualInConstantTime } from '../runtime/constant-time.ts';

/** Since the sign-in: using the session does not prolong it. */
export const sessionLifetimeMs = 15 * minuteMs;

/**
 * The cookie of a page. Each page has its own, so that a session of one page is none of another.
 *
 * `__Host-` binds the cookie to this host, so that a sibling host cannot plant it. Browsers accept the prefix
 * over https only, so the local stack, which uses http, omits it. RFC 6265bis section 4.1.3.
 *
 * @param form of the token.
 * @param sameSite `Lax` where the user arrives from the site of an application or from a mail, and the session has to be sent
 * then. `Strict` for a page that nobody reaches from another site.
 */
export function sessionCookie(
  baseName: string,
  { form, sameSite }: { form: RegExp; sameSite: 'Lax' | 'Strict' } = { form: /^[\w-]{22}$/, sameSite: 'Lax' },
) {
  const nameOf = (baseUrl: string): string => (isSecure(baseUrl) ? `__Host-${baseName}` : baseName);
  return {
    /** The session token of a `Cookie` header. Undefined when it is missing, malformed or ambiguous. */
    read(cookieHeader: string | undefined, baseUrl: string): string | undefined {
      const prefix = `${nameOf(baseUrl)}=`;
      const tokens = (cookieHeader ?? '')
        .split(';')
        .map((cookie) => cookie.trim())
        .filter((cookie) => cookie.startsWith(prefix))
        .map((cookie) => cookie.slice(prefix.length));
      const [token, ...more] = tokens;
      // Of two cookies with the same name one was planted, and they cannot be distinguished.
      return more.length === 0 && token !== undefined && form.test(token) ? token : undefined;
    },
    /** `Set-Cookie` for a token. @param lifetimeMs of the session, by default that of a new one. */
    write(token: string, baseUrl: string, lifetimeMs = sessionLifetimeMs): string {
      const secure = isSecure(baseUrl) ? '; Secure' : '';
      const maxAge = Math.ceil(lifetimeMs / 1000);
      return `${nameOf(baseUrl)}=${token}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=${sameSite}${secure}`;
    },
  };
}

export const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:');

/** The anti-forgery token of every form. It cannot be made without the cookie, and differs for each session. */
export const formTokenOf = (token: string): string => derivedFrom(token, 'form');

/** Whether a submitted form token belongs to the session. Compared in constant time. */
export function isFormTokenValid(token: string, submitted: string | undefined): boolean {
  return isEqualInConstantTime(formTokenOf(token), submitted ?? '');
}

/** Whose a mailed code is: that of the browser which asked for it. */
export const codeHolderOf = (token: string): string => derivedFrom(token, 'code');

/** A text that nobody can make without the session token, and that tells nothing about it. 43 characters of base64url. */
export function derivedFrom(token: string, ...parts: string[]): string {
  return createHmac('sha256', token).update(JSON.stringify(parts)).digest('base64url');
}
