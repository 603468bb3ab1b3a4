/** The authorization request: what it may say, and where its answer may go. RFC 6749 section 4.1.1, RFC 7636. */
import type { Application } from '../shared/accounts/applications.ts';
import { type Parameters, parameterNames } from './parameters.ts';
import { isChallenge } from './pkce.ts';
import { parseScope, type Scope } from './scopes.ts';

/** A request that may be shown to the user. */
export interface AuthorizationRequest {
  application: Application;
  redirectUri: string;
  scopes: readonly Scope[];
  state: string | undefined;
  challenge: string | undefined;
  /** Whether the request named the redirect URI: the token request then has to name it too. */
  namedRedirect: boolean;
}

/** Why the request is refused: told the user where nobody can be trusted to be told, and the application otherwise. */
export type Refused =
  | { tell: 'user'; why: string }
  | { tell: 'application'; redirectUri: string; answer: Record<string, string | undefined> };

const maxState = 2_000;
/** A form would send a line break back as two characters. */
const unsafeState = /\p{Cc}/u;

/**
 * Checks a request against its application.
 *
 * Nothing is ever sent to an address that is not registered, compared character for character (RFC 9700 section
 * 4.1.3): as long as client and address are in doubt, the user is told and nobody else.
 */
export function checkRequest(
  parameters: Parameters,
  application: Application | undefined,
): AuthorizationRequest | Refused {
  if (application === undefined) return { tell: 'user', why: 'client' };
  const redirectUri = redirectOf(parameters.redirect_uri, application.redirectUris);
  if (redirectUri === undefined) return { tell: 'user', why: 'redirect' };

  const { state } = parameters;
  const returns = state === undefined || (state.length <= maxState && !unsafeState.test(state));
  const refuse = (error: string, error_description: string): Refused => ({
    tell: 'application',
    redirectUri,
    answer: { error, error_description, state: returns ? state : undefined },
  });
  if (!returns) return refuse('invalid_request', 'state is too long or has control characters');
  if ((parameters.response_type ?? 'code') !== 'code') {
    return refuse('unsupported_response_type', 'response_type must be code');
  }
  const challenge = parameters.code_challenge;
  if (challenge === undefined && !isPkceOptional(application)) {
    return refuse('invalid_request', 'code_challenge is required');
  }
  if (challenge !== undefined && parameters.code_challenge_method !== 'S256') {
    return refuse('invalid_request', 'code_challenge_method must be S256');
  }
  if (challenge !== undefined && !isChallenge(challenge)) {
    return refuse('invalid_request', 'code_challenge must be 43 characters of base64url');
  }
  const scopes = parseScope(parameters.scope);
  if (scopes === undefined) return refuse('invalid_scope', 'scope is unknown');
  const namedRedirect = parameters.redirect_uri !== undefined;
  return { application, redirectUri, scopes, state, challenge, namedRedirect };
}

/** A public client proves itself by nothing else: only a confidential one may go without. */
function isPkceOptional({ settings }: Application): boolean {
  return settings.pkceOptional === true && !isPublic({ settings });
}

/** An application on people's own devices, which cannot keep a secret: RFC 6749 section 2.1. */
export function isPublic({ settings }: Pick<Application, 'settings'>): boolean {
  return settings.public === true;
}

function redirectOf(named: string | undefined, registered: readonly string[]): string | undefined {
  const [only, ...more] = registered;
  const found = named === undefined && more.length === 0 ? only : registered.find((uri) => uri === named);
  // Answers are appended to the query; behind a fragment they would never arrive (RFC 6749 section 3.1.2).
  return found?.includes('#') ? undefined : found;
}

/** The redirect URI with the answer in its query; the query it has stays. RFC 6749 section 4.1.2, RFC 9207. */
export function answerUri(
  redirectUri: string,
  answer: Readonly<Record<string, string | undefined>>,
  issuer: string,
): string {
  const given = Object.entries({ ...answer, iss: issuer }).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given as [string, string][]);
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`;
}

/** The parameters that were given, to be carried on. */
export function carried(parameters: Parameters): [name: string, value: string][] {
  return parameterNames.flatMap((name) => {
    const value = parameters[name];
    return value === undefined ? [] : [[name, value]];
  });
}

/** The page with the request, relative to the page itself: right behind any prefix of the path. */
export function pageAddress(parameters: Parameters): string {
  return `consent?${new URLSearchParams(carried(parameters))}`;
}
