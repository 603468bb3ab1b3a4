import { endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { formTokenOf } from '../shared/sign-in/session.ts';
import { signInShowRoute } from './contracts/session.ts';
import { consoleFrame } from './pages/frame.ts';
import { withConsoleErrorPages } from './pages/refusals.ts';
import { signInPage } from './pages/sign-in-page.ts';
import { pageNamed } from './pages/visit.ts';
import { consoleSessionMs, signInCookie } from './session/session.ts';

/** Shows the sign-in, from which the page that was asked for follows. */
export function showSignIn({
  query: { next, notice },
  headers,
  baseUrl,
}: Input<typeof signInShowRoute>): Reply {
  // The same token for every tab: a second one leaves the form of the first one valid.
  const token = signInCookie.read(headers.cookie, baseUrl) ?? randomToken();
  return consoleFrame.reply(200, signInPage(formTokenOf(token), pageNamed(next), notice), {
    cookies: [signInCookie.write(token, baseUrl, consoleSessionMs)],
  });
}

export const handler = withConsoleErrorPages(signInShowRoute.path, endpoint(signInShowRoute, showSignIn));
