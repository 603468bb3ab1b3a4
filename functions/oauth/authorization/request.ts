/** Validation of the authorization request: RFC 6749 section 4.1.1, RFC 7636. */
import type { Application } from '../../shared/accounts/applications.ts';
import { parseScope, type Scope } from '../../shared/auth/grants/scopes.ts';
import type { Parameters } from './parameters.ts';
import { isCodeChallenge } from './pkce.ts';

/** A valid request: it may be shown to the user. */
export interface AuthorizationRequest {
  application: Application;
  redirectUri: string;
  scopes: readonly Scope[];
  state: string | undefined;
  codeChallenge: string | undefined;
  /** Whether the request named the redirect URI. If so, the token request has to name it too. */
  redirectUriNamed: boolean;
}

/** An invalid request. It is reported to the application by redirect, unless its redirect URI is in doubt. */
export type AuthorizationError =
  | { reportTo: 'user'; reason: 'unknown_client' | 'unregistered_redirect_uri' }
  | { reportTo: 'application'; redirectUri: string; response: Record<string, string | undefined> };

const maxStateLength = 2_000;
/** A form submission would turn a line break into two characters. */
const unsafeState = /\p{Cc}/u;

/**
 * Validates a request against the application's registration.
 *
 * The browser is never redirected to an unregistered URI, and URIs are compared character for character (RFC
 * 9700 section 4.1.3). While the client or the redirect URI is in doubt, errors are shown to the user only.
 */
export function validateAuthorizationRequest(
  parameters: Parameters,
  application: Application | undefined,
): AuthorizationRequest | AuthorizationError {
  if (application === undefined) return { reportTo: 'user', reason: 'unknown_client' };
  const redirectUri = registeredRedirectUri(parameters.redirect_uri, application.redirectUris);
  if (redirectUri === undefined) return { reportTo: 'user', reason: 'unregistered_redirect_uri' };

  const { state } = parameters;
  const isStateValid = state === undefined || (state.length <= maxStateLength && !unsafeState.test(state));
  const refuse = (error: string, error_description: string): AuthorizationError => ({
    reportTo: 'application',
    redirectUri,
    response: { error, error_description, state: isStateValid ? state : undefined },
  });
  if (!isStateValid) return refuse('invalid_request', 'state is too long or has control characters');
  if ((parameters.response_type ?? 'code') !== 'code') {
    return refuse('unsupported_response_type', 'response_type must be code');
  }
  const codeChallenge = parameters.code_challenge;
  if (codeChallenge === undefined && !isPkceOptional(application)) {
    // RFC 7636 section 4.4.1
    return refuse(
      'invalid_request',
      'code challenge required: this client needs PKCE (RFC 7636), code_challenge with code_challenge_method S256',
    );
  }
  if (codeChallenge !== undefined && parameters.code_challenge_method !== 'S256') {
    return refuse('invalid_request', 'code_challenge_method must be S256');
  }
  if (codeChallenge !== undefined && !isCodeChallenge(codeChallenge)) {
    return refuse('invalid_request', 'code_challenge must be 43 characters of base64url');
  }
  const scopes = parseScope(parameters.scope);
  if (scopes === undefined) return refuse('invalid_scope', 'scope is unknown');
  const redirectUriNamed = parameters.redirect_uri !== undefined;
  return { application, redirectUri, scopes, state, codeChallenge, redirectUriNamed };
}

/** PKCE is the only proof that a public client has, so only a confidential client may opt out. */
function isPkceOptional({ settings }: Application): boolean {
  return settings.pkceOptional === true && !isPublicClient({ settings });
}

/** A public client runs on users' devices and cannot keep a secret: RFC 6749 section 2.1. */
export function isPublicClient({ settings }: Pick<Application, 'settings'>): boolean {
  return settings.public === true;
}

function registeredRedirectUri(
  requested: string | undefined,
  registered: readonly string[],
): string | undefined {
  const [only, ...more] = registered;
  const redirectUri =
    requested === undefined && more.length === 0 ? only : registered.find((uri) => uri === requested);
  // The response is appended to the query. Behind a fragment it would never reach the server (RFC 6749 section 3.1.2).
  return redirectUri?.includes('#') ? undefined : redirectUri;
}
