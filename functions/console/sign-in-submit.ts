import type { Input, Reply } from '../shared/contract/route.ts';
import { redirectReply } from '../shared/html/page.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { route } from './contracts/sign-in-submit.ts';
import { consoleFrame } from './pages/frame.ts';
import { addressesFrom, pageNamed } from './pages/path.ts';
import { withConsoleErrorPages } from './pages/refusals.ts';
import { signInPage } from './pages/sign-in-page.ts';
import { consoleCookie, consoleSessionMs } from './session/session.ts';
import { consoleSessions } from './session/session-store.ts';

/**
 * Signs in with an operator key. The session of this browser before ends.
 *
 * The form has no anti-forgery token: without the operator key it does nothing, and a key of its own gives another site
 * nothing but its own session.
 */
export async function signIn({ headers, body, baseUrl }: Input<typeof route>): Promise<Reply> {
  const next = pageNamed(body.next);
  const token = await consoleSessions.start(body.key ?? '', clock.nowMs());
  if (token === undefined) return consoleFrame.reply(400, signInPage(next, 'refused'));
  const former = consoleCookie.read(headers.cookie, baseUrl);
  if (former !== undefined) await consoleSessions.end(former);
  return redirectReply(addressesFrom(route.path).uri(next), [
    consoleCookie.write(token, baseUrl, consoleSessionMs),
  ]);
}

export const handler = withConsoleErrorPages(route.path, endpoint(route, signIn));
