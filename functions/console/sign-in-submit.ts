import { redirectReply } from '../shared/html/page.ts';
import { endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { formTokenOf, isFormTokenValid } from '../shared/sign-in/session.ts';
import { signInSubmitRoute } from './contracts/session.ts';
import { consoleFrame } from './pages/frame.ts';
import { withConsoleErrorPages } from './pages/refusals.ts';
import { signInPage } from './pages/sign-in-page.ts';
import { addressesFrom, pageNamed } from './pages/visit.ts';
import { consoleCookie, consoleSessionMs, signInCookie } from './session/session.ts';
import { consoleSessions } from './session/session-store.ts';

/**
 * Signs in with an operator key. The session of this browser before ends.
 *
 * The anti-forgery token keeps another site from signing a browser in with a key of its own: a person would then enter what
 * that site reads.
 */
export async function signIn({ headers, body, baseUrl }: Input<typeof signInSubmitRoute>): Promise<Reply> {
  const next = pageNamed(body.next);
  const browser = signInCookie.read(headers.cookie, baseUrl) ?? randomToken();
  const formToken = formTokenOf(browser);
  if (!isFormTokenValid(browser, body.form)) {
    const cookies = [signInCookie.write(browser, baseUrl, consoleSessionMs)];
    return consoleFrame.reply(403, signInPage(formToken, next, 'unknown'), { cookies });
  }
  const token = await consoleSessions.start(body.key ?? '', clock.nowMs());
  if (token === undefined) return consoleFrame.reply(400, signInPage(formToken, next, 'refused'));
  const former = consoleCookie.read(headers.cookie, baseUrl);
  if (former !== undefined) await consoleSessions.end(former);
  return redirectReply(addressesFrom(signInSubmitRoute.path).uri(next), [
    consoleCookie.write(token, baseUrl, consoleSessionMs),
  ]);
}

export const handler = withConsoleErrorPages(signInSubmitRoute.path, endpoint(signInSubmitRoute, signIn));
