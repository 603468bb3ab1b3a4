import { getApplications } from '../shared/accounts/applications.ts';
import { getUser } from '../shared/accounts/users.ts';
import { grantStore } from '../shared/auth/grants/grant-store.ts';
import { defined } from '../shared/contract/defined.ts';
import type { Input, Reply } from '../shared/contract/route.ts';
import { readCursor } from '../shared/lambda/cursor.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { isId } from '../shared/runtime/ids.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { enrolmentCookies } from '../shared/sign-in/mailbox-cookies.ts';
import { formTokenOf } from '../shared/sign-in/session.ts';
import { accountSessions } from '../shared/sign-in/session-store.ts';
import { accountDevices } from './access/devices-store.ts';
import { readOverview } from './access/overview.ts';
import { accountCookie, readDone } from './access/session.ts';
import { findUsersOf } from './access/users-of-mailbox.ts';
import { sessionEndedNotice, withAccountErrorPages } from './pages/error-pages.ts';
import { accountFrame } from './pages/frame.ts';
import { cursorScope, doneTexts, overviewPage } from './pages/overview-page.ts';
import { emailPage } from './pages/sign-in-pages.ts';
import { showRoute } from './routes.ts';

/** Shows the sign-in form, or what can act for a user who is signed in. */
export async function showAccount({
  query,
  headers,
  remote,
  baseUrl,
}: Input<typeof showRoute>): Promise<Reply> {
  const nowMs = clock.nowMs();
  const existingToken = accountCookie.read(headers.cookie, baseUrl);
  const token = existingToken ?? randomToken();
  const formToken = formTokenOf(token);
  const done = readDone(token, query.done);
  const enrolment = enrolmentCookies(query.enrolment, baseUrl);
  const session = existingToken === undefined ? undefined : await accountSessions.find(existingToken, nowMs);
  if (session !== undefined) {
    const forms = { grantId: (text: string) => isId('gnt', text) };
    const startAfter = readCursor(cursorScope(session.userId), query.cursor, forms)?.grantId;
    const overview = await readOverview(
      session,
      startAfter,
      { getUser, getApplications, grants: grantStore, devices: accountDevices, findUsersOf },
      nowMs,
    );
    if (overview !== undefined) {
      const isFirstPage = startAfter === undefined;
      const context = { formToken, done, isFirstPage, address: remote.address };
      return accountFrame.reply(200, overviewPage(overview, context), { cookies: enrolment });
    }
  }
  const notice = query.notice === 'expired' ? sessionEndedNotice : undefined;
  const status = done && doneTexts[done];
  const page = emailPage(formToken, defined({ notice, status }));
  return accountFrame.reply(200, page, {
    cookies: [accountCookie.write(token, baseUrl), ...enrolment],
  });
}

export const handler = withAccountErrorPages(endpoint(showRoute, showAccount));
