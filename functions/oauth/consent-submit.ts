import { getApplication } from '../shared/accounts/applications.ts';
import { findAddressOwner, getUser } from '../shared/accounts/users.ts';
import { defined } from '../shared/contract/defined.ts';
import { formatSecret, isUnexpired } from '../shared/contract/secret.ts';
import { type Page, redirectReply } from '../shared/html/page.ts';
import { quoted } from '../shared/html/text.ts';
import { endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import type { MailContent } from '../shared/mail/layout.ts';
import { clock } from '../shared/runtime/clock.ts';
import { newId } from '../shared/runtime/ids.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { type SignInForm, type SignInPages, submitterOf } from '../shared/sign-in/attempt.ts';
import { codePage } from '../shared/sign-in/forms.ts';
import { signInMail } from '../shared/sign-in/mail.ts';
import { sendCode as sendSignInCode } from '../shared/sign-in/send-code.ts';
import { formTokenOf, isFormTokenValid, sessionLifetimeMs } from '../shared/sign-in/session.ts';
import { consentSessions } from '../shared/sign-in/session-store.ts';
import { exchangeCode } from '../shared/sign-in/sign-in.ts';
import { presentParameters } from './authorization/parameters.ts';
import { validateAuthorizationRequest } from './authorization/request.ts';
import { authorizationResponseUri } from './authorization/response.ts';
import { authenticatedUser, eligibleUser } from './consent/authenticated-user.ts';
import {
  alreadyAnswered,
  authorizationErrorReply,
  formTokenMismatch,
  incompleteForm,
  noActiveAccount,
  sessionExpired,
  withConsentErrorPages,
} from './consent/error-pages.ts';
import { pageReply } from './consent/frame.ts';
import { consentForm, consentPageUri, emailPage, type PageContext } from './consent/pages.ts';
import { authorizationCodeOf, consentCookie } from './consent/session.ts';
import { consentSubmitRoute } from './routes.ts';
import { codeStore } from './tokens/store.ts';
import { type CodeRecord, lifetimes } from './tokens/token-family.ts';

/** A submitted form of the consent page, with a valid request, session and form token. */
export interface FormSubmission extends PageContext, SignInForm {
  body: Input<typeof consentSubmitRoute>['body'];
}

/**
 * Shows a page in response to a form. The cookie is renewed, so that the browser keeps it as long as the page
 * is usable.
 */
function showPage(
  { request, sessionToken, baseUrl }: FormSubmission,
  status: number,
  page: Page,
  retryAfterSeconds?: number,
): Reply {
  return pageReply(status, page, {
    redirectUri: request.redirectUri,
    cookies: [consentCookie.write(sessionToken, baseUrl)],
    retryAfterSeconds,
  });
}

export function signInPages(submission: FormSubmission): SignInPages {
  const { request, parameters } = submission;
  return {
    purpose: 'sign-in',
    email: (state) => emailPage(submission, state),
    code: (state) => codePage(consentForm(submission), consentPageUri(parameters), state),
    mail: (code, lifetimeMinutes) => consentMail(code, lifetimeMinutes, request.application.name),
    show: (status, page, retryAfterSeconds) => showPage(submission, status, page, retryAfterSeconds),
  };
}

export function consentMail(code: string, lifetimeMinutes: number, applicationName: string): MailContent {
  const application = quoted(applicationName) || 'an application';
  return signInMail(
    { code, lifetimeMinutes },
    {
      purpose: ['to see what ', { strong: application }, ' asks for'],
      consequence: 'Signing in allows nothing yet: the next page asks you.',
    },
  );
}

const steps = { send: sendCode, resend: sendCode, 'sign-in': signIn, allow, deny, switch: switchAccount };

/**
 * Handles a form of the consent page. Every submission validates the request again, because the caller can send
 * any form.
 */
export async function submitConsent({
  headers,
  body,
  remote,
  baseUrl,
}: Input<typeof consentSubmitRoute>): Promise<Reply> {
  const application = body.client_id === undefined ? undefined : await getApplication(body.client_id);
  const request = validateAuthorizationRequest(body, application);
  if ('reportTo' in request) return authorizationErrorReply(request, baseUrl);
  const token = consentCookie.read(headers.cookie, baseUrl);
  if (token === undefined) return sessionExpired(body);
  const nowMs = clock.nowMs();
  if (!isFormTokenValid(token, body.form)) {
    const isDone = await isDoneAlready(body.step, token, nowMs);
    return isDone ? redirectReply(consentPageUri(body)) : formTokenMismatch(body);
  }

  const step = Object.hasOwn(steps, body.step ?? '') ? steps[body.step as keyof typeof steps] : undefined;
  if (step === undefined) return incompleteForm(body);
  const submission = {
    request,
    parameters: body,
    body,
    formToken: formTokenOf(token),
    sessionToken: token,
    ...submitterOf(remote.address, headers.cookie, baseUrl),
    baseUrl,
    nowMs,
  };
  return step(submission);
}

/**
 * Whether an old form asks for what is so already: a double click submits it again when the first response has replaced the
 * session. The person is signed in then, or signed out.
 */
async function isDoneAlready(step: string | undefined, token: string, nowMs: number): Promise<boolean> {
  if (step !== 'sign-in' && step !== 'switch') return false;
  const isSignedIn = (await consentSessions.find(token, nowMs)) !== undefined;
  return isSignedIn === (step === 'sign-in');
}

export const handler = withConsentErrorPages(endpoint(consentSubmitRoute, submitConsent));

function sendCode(submission: FormSubmission): Promise<Reply> {
  return sendSignInCode(submission, signInPages(submission));
}

/** Exchanges the mailed code for an authenticated session with a new token. */
async function signIn(submission: FormSubmission): Promise<Reply> {
  const { body, baseUrl } = submission;
  const page = Object.assign(signInPages(submission), {
    sessions: consentSessions,
    findUser: async (email: string) => {
      const userId = await findAddressOwner(email);
      return userId === undefined ? undefined : eligibleUser(await getUser(userId), email);
    },
    noUser: () => noActiveAccount(body),
  });
  const result = await exchangeCode(submission, page);
  if ('refused' in result) return result.refused;
  return redirectReply(consentPageUri(body), [consentCookie.write(result.token, baseUrl), result.pass]);
}

/** Ends the session, so that another account can sign in. */
async function switchAccount({ body, sessionToken, baseUrl }: FormSubmission): Promise<Reply> {
  await consentSessions.end(sessionToken);
  return redirectReply(consentPageUri(body), [consentCookie.write(randomToken(), baseUrl)]);
}

/**
 * Grants the request: sends the application an authorization code.
 *
 * A session and a request have one code. A form that is submitted twice at once redirects with the same code
 * both times. A form that is submitted again after the code was used or has expired yields none.
 */
async function allow(submission: FormSubmission): Promise<Reply> {
  const { body, sessionToken, request, baseUrl, nowMs } = submission;
  const user = await authenticatedUser(sessionToken, nowMs);
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
function deny({ request: { redirectUri, state }, baseUrl }: FormSubmission): Reply {
  const response = { error: 'access_denied', error_description: 'The user said no', state };
  return redirectReply(authorizationResponseUri(redirectUri, response, baseUrl));
}
