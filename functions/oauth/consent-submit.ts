import { getApplication } from '../shared/accounts/applications.ts';
import type { Input, Reply } from '../shared/contract/route.ts';
import { redirectReply } from '../shared/html/page.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { submitterOf } from '../shared/sign-in/attempt.ts';
import { formTokenOf, isFormTokenValid } from '../shared/sign-in/session.ts';
import { consentSessions } from '../shared/sign-in/session-store.ts';
import { validateAuthorizationRequest } from './authorization/request.ts';
import { allow, deny } from './consent/decision.ts';
import {
  authorizationErrorReply,
  formTokenMismatch,
  incompleteForm,
  sessionExpired,
  withConsentErrorPages,
} from './consent/error-pages.ts';
import { consentPageUri } from './consent/pages.ts';
import { consentCookie } from './consent/session.ts';
import { sendCode, signIn, switchAccount } from './consent/sign-in.ts';
import { route } from './contracts/consent-submit.ts';

/** The action of each button of the consent page. */
const steps = { send: sendCode, resend: sendCode, 'sign-in': signIn, allow, deny, switch: switchAccount };

/**
 * Handles a form of the consent page. Every submission validates the request again, because the caller can send
 * any form.
 */
export async function submitConsent({ headers, body, remote, baseUrl }: Input<typeof route>): Promise<Reply> {
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

export const handler = withConsentErrorPages(endpoint(route, submitConsent));
