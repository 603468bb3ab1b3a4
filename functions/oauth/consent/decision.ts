import { getUser } from '../../shared/accounts/users.ts';
import { defined } from '../../shared/contract/defined.ts';
import type { Reply } from '../../shared/contract/route.ts';
import { formatSecret, isUnexpired } from '../../shared/contract/secret.ts';
import { redirectReply } from '../../shared/html/page.ts';
import { newId } from '../../shared/runtime/ids.ts';
import { sessionLifetimeMs } from '../../shared/sign-in/session.ts';
import { consentSessions } from '../../shared/sign-in/session-store.ts';
import { presentParameters } from '../authorization/parameters.ts';
import { authorizationResponseUri } from '../authorization/response.ts';
import { codeStore } from '../tokens/store.ts';
import { type CodeRecord, lifetimes } from '../tokens/token-family.ts';
import { authenticatedUser } from './authenticated-user.ts';
import { alreadyAnswered, incompleteForm, sessionExpired } from './error-pages.ts';
import type { FormSubmission } from './form-submission.ts';
import { authorizationCodeOf } from './session.ts';

/**
 * Grants the request: sends the application an authorization code.
 *
 * A session and a request have one code. A form that is submitted twice at once redirects with the same code
 * both times. A form that is submitted again after the code was used or has expired yields none.
 */
export async function allow(submission: FormSubmission): Promise<Reply> {
  const { body, sessionToken, request, baseUrl, nowMs } = submission;
  const user = await authenticatedUser(sessionToken, { sessions: consentSessions, getUser }, nowMs);
  if (user === undefined) return sessionExpired(body);
  const { application, redirectUri, scopes, state, codeChallenge, redirectUriNamed } = request;
  // The code challenge differs for each request (RFC 7636 section 4.1). Without one, the form's ticket identifies it.
  const ticket = codeChallenge === undefined ? body.ticket : '';
  if (ticket === undefined) return incompleteForm(body);
  const code = formatSecret(
    'authorization_code',
    authorizationCodeOf(sessionToken, ticket, ...presentParameters(body).flat()),
  );
  const expiresAtMs = nowMs + lifetimes.codeMs;
  const record: CodeRecord = {
    kind: 'authorization_code',
    keyId: newId('key', nowMs),
    applicationId: application.applicationId,
    userId: user.userId,
    scopes,
    redirectUri,
    redirectUriNamed,
    ...defined({ codeChallenge, securityStamp: user.securityStamp }),
    createdAtMs: nowMs,
    expiresAtMs,
  };
  // The record outlives the session that derived the code, so that the form cannot issue it again.
  if (!(await codeStore.issue(code, record, expiresAtMs + sessionLifetimeMs))) {
    const existing = await codeStore.find(code);
    const isRedeemable =
      existing !== undefined && existing.usedAtMs === undefined && isUnexpired(existing, nowMs);
    if (!isRedeemable) return alreadyAnswered();
  }
  return redirectReply(authorizationResponseUri(redirectUri, { code, state }, baseUrl));
}

/** Denies the request: sends the application `access_denied`. */
export function deny({ request: { redirectUri, state }, baseUrl }: FormSubmission): Reply {
  const response = { error: 'access_denied', error_description: 'The user said no', state };
  return redirectReply(authorizationResponseUri(redirectUri, response, baseUrl));
}
