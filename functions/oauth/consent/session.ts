import { derivedFrom, sessionCookie } from '../../shared/sign-in/session.ts';

export const consentCookie = sessionCookie('vouchsafe-consent');

/**
 * The random part of an authorization code, derived from the session and the request: a request that is
 * allowed twice yields the same code and not a second one.
 */
export function authorizationCodeOf(token: string, ...request: string[]): string {
  return derivedFrom(token, 'authorization', ...request);
}
