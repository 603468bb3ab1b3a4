import { redirectReply } from '../shared/html/page.ts';
import { endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { isFormTokenValid } from '../shared/sign-in/session.ts';
import { signOutRoute } from './contracts/session.ts';
import { consoleFrame } from './pages/frame.ts';
import { expiredForm, withConsoleErrorPages, withWayBack } from './pages/refusals.ts';
import { addressesFrom } from './pages/visit.ts';
import { consoleCookie } from './session/session.ts';
import { consoleSessions } from './session/session-store.ts';

/** Ends the session. Sent again, the form finds none, and leads to the sign-in as well. */
export async function signOut({ headers, body, baseUrl }: Input<typeof signOutRoute>): Promise<Reply> {
  const token = consoleCookie.read(headers.cookie, baseUrl);
  const signInUri = addressesFrom(signOutRoute.path).uri('/console/sign-in');
  if (token === undefined) return redirectReply(signInUri);
  if (!isFormTokenValid(token, body.form))
    return consoleFrame.reply(403, withWayBack(expiredForm, signOutRoute.path));
  await consoleSessions.end(token);
  return redirectReply(signInUri, [consoleCookie.write('', baseUrl, 0)]);
}

export const handler = withConsoleErrorPages(signOutRoute.path, endpoint(signOutRoute, signOut));
