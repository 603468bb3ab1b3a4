import { getApplication } from '../shared/accounts/applications.ts';
import { getUser } from '../shared/accounts/users.ts';
import type { Input, Reply } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { pageReply } from './page.ts';
import { expiredNotice, refusal, withPages } from './refusals.ts';
import { checkRequest } from './request.ts';
import { routes } from './routes.ts';
import { cookieFor, formToken, tokenOf } from './session.ts';
import { signedIn } from './signed-in.ts';
import { consentPage, emailPage } from './steps.ts';
import { sessionStore } from './store.ts';

const consentDeps = () => ({ getApplication, getUser, sessions: sessionStore, nowMs, randomToken });

/** Shows the first step that is left: signing in, or the question itself. */
export async function showConsent(
  { query, headers, baseUrl }: Input<typeof routes.consent>,
  deps: ReturnType<typeof consentDeps>,
): Promise<Reply> {
  const { getApplication, nowMs, randomToken } = deps;
  const known = tokenOf(headers.cookie, baseUrl);
  const [application, user] = await Promise.all([
    query.client_id === undefined ? undefined : getApplication(query.client_id),
    known === undefined ? undefined : signedIn(known, deps, nowMs()),
  ]);
  const request = checkRequest(query, application);
  if ('tell' in request) return refusal(request, baseUrl);

  const token = known ?? randomToken();
  const shown = { request, parameters: query, form: formToken(token) };
  const { redirectUri } = request;
  if (user !== undefined) {
    return pageReply(200, consentPage(shown, { email: user.email, ticket: randomToken() }), { redirectUri });
  }
  const page = emailPage(shown, query.notice === 'expired' ? { notice: expiredNotice } : {});
  return pageReply(200, page, { redirectUri, cookies: [cookieFor(token, baseUrl)] });
}

export const handler = withPages(endpoint(routes.consent, showConsent, consentDeps));
