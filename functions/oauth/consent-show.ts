import { getApplication } from '../shared/accounts/applications.ts';
import { endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { formTokenOf } from '../shared/sign-in/session.ts';
import { validateAuthorizationRequest } from './authorization/request.ts';
import { authenticatedUser } from './consent/authenticated-user.ts';
import {
  authorizationErrorReply,
  sessionExpiredNotice,
  withConsentErrorPages,
} from './consent/error-pages.ts';
import { pageReply } from './consent/frame.ts';
import { consentPage, emailPage } from './consent/pages.ts';
import { consentCookie } from './consent/session.ts';
import { consentShowRoute } from './routes.ts';

export async function showConsent({
  query,
  headers,
  baseUrl,
}: Input<typeof consentShowRoute>): Promise<Reply> {
  const existingToken = consentCookie.read(headers.cookie, baseUrl);
  const [application, user] = await Promise.all([
    query.client_id === undefined ? undefined : getApplication(query.client_id),
    existingToken === undefined ? undefined : authenticatedUser(existingToken, clock.nowMs()),
  ]);
  const request = validateAuthorizationRequest(query, application);
  if ('reportTo' in request) return authorizationErrorReply(request, baseUrl);

  const token = existingToken ?? randomToken();
  const context = { request, parameters: query, formToken: formTokenOf(token) };
  const { redirectUri } = request;
  if (user !== undefined) {
    const page = consentPage(context, { email: user.email, ticket: randomToken() });
    return pageReply(200, page, { redirectUri });
  }
  const page = emailPage(context, query.notice === 'expired' ? { notice: sessionExpiredNotice } : {});
  return pageReply(200, page, { redirectUri, cookies: [consentCookie.write(token, baseUrl)] });
}

export const handler = withConsentErrorPages(endpoint(consentShowRoute, showConsent));
