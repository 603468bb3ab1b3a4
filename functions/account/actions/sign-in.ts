import type { Reply } from '../../shared/contract/route.ts';
import { redirectReply } from '../../shared/html/page.ts';
import { randomToken } from '../../shared/runtime/random.ts';
import { sendCode } from '../../shared/sign-in/send-code.ts';
import { accountSessions } from '../../shared/sign-in/session-store.ts';
import { exchangeCode } from '../../shared/sign-in/sign-in.ts';
import { accountCookie } from '../access/session.ts';
import { findUsersOf } from '../access/users-of-mailbox.ts';
import { incompleteForm, noAccount } from '../pages/error-pages.ts';
import { accountUri } from '../pages/sign-in-pages.ts';
import { doneReply, type SignedInSubmission, type Submission, signInPages } from './submission.ts';

export const send = (submission: Submission): Promise<Reply> => sendCode(submission, signInPages(submission));

/** Exchanges the mailed code for a session with a new token, of the first user of the address. */
export async function signIn(submission: Submission): Promise<Reply> {
  const page = Object.assign(signInPages(submission), {
    sessions: accountSessions,
    findUser: async (email: string) => (await findUsersOf(email)).at(0),
    noUser: noAccount,
  });
  const result = await exchangeCode(submission, page);
  if ('refused' in result) return result.refused;
  return redirectReply(accountUri, [accountCookie.write(result.token, submission.baseUrl), result.pass]);
}

/**
 * Shows another user of the same address, in a session with a new token that ends when this one would have. The mailed code
 * has proved the mailbox, which verified both. The session before stays until it ends, so that a form submitted twice does not
 * ask for another code; the browser has forgotten its token.
 */
export async function switchUser({ body, session, baseUrl, nowMs }: SignedInSubmission): Promise<Reply> {
  const users = await findUsersOf(session.email);
  const next = users.find(({ userId }) => userId === body.user);
  if (next === undefined) return incompleteForm();
  const newToken = randomToken();
  await accountSessions.startAs(next, newToken, session.expiresAtMs);
  const cookie = accountCookie.write(newToken, baseUrl, session.expiresAtMs - nowMs);
  return redirectReply(accountUri, [cookie]);
}

/** Ends the session, if there is one: a repeat finds none and says the same. */
export async function signOut({ sessionToken, baseUrl }: Submission): Promise<Reply> {
  await accountSessions.end(sessionToken);
  return signedOutReply(randomToken(), 'signed-out', baseUrl);
}

/** Leads to the sign-in with a token that nobody has signed in with. */
export function signedOutReply(
  newToken: string,
  done: 'signed-out' | 'everywhere',
  baseUrl: string,
  cookies: readonly string[] = [],
): Reply {
  return doneReply(newToken, done, [accountCookie.write(newToken, baseUrl), ...cookies]);
}
