import { findAddressOwner, getUser } from '../../shared/accounts/users.ts';
import type { Reply } from '../../shared/contract/route.ts';
import { redirectReply } from '../../shared/html/page.ts';
import { checkCode, checkCodeDeps, discardCode, wrongCode } from '../../shared/sign-in/check-code.ts';
import { type sendCodeDeps, sendCode as sendSignInCode } from '../../shared/sign-in/send-code.ts';
import { consentSessions } from '../../shared/sign-in/session-store.ts';
import { eligibleUser } from './authenticated-user.ts';
import { noActiveAccount } from './error-pages.ts';
import { type FormSubmission, signInPages } from './form-submission.ts';
import { consentPageUri } from './pages.ts';
import { consentCookie } from './session.ts';

export const signInDeps = () => ({
  ...checkCodeDeps(),
  sessions: consentSessions,
  findAddressOwner,
  getUser,
});

/** Mails a sign-in code. */
export function sendCode(submission: FormSubmission, deps: ReturnType<typeof sendCodeDeps>): Promise<Reply> {
  return sendSignInCode(submission, signInPages(submission), deps);
}

/** Exchanges the mailed code for an authenticated session with a new token. */
export async function signIn(
  submission: FormSubmission,
  deps: ReturnType<typeof signInDeps>,
): Promise<Reply> {
  const { body, baseUrl, nowMs } = submission;
  const { sessions, findAddressOwner, getUser, randomToken } = deps;
  const pages = signInPages(submission);
  const proven = await checkCode(submission, pages, deps);
  if ('refused' in proven) return proven.refused;
  const { email, code } = proven;
  const userId = await findAddressOwner(email);
  const user = userId === undefined ? undefined : eligibleUser(await getUser(userId), email);
  if (user === undefined) {
    await discardCode(proven, deps);
    return noActiveAccount(body);
  }
  const newToken = randomToken();
  if (!(await sessions.start(newToken, user, code, nowMs))) return wrongCode(email, pages).refused;
  return redirectReply(consentPageUri(body), [consentCookie.write(newToken, baseUrl)]);
}

/** Ends the session, so that another account can sign in. */
export async function switchAccount(
  { body, sessionToken, baseUrl }: FormSubmission,
  { sessions, randomToken }: Pick<ReturnType<typeof signInDeps>, 'sessions' | 'randomToken'>,
): Promise<Reply> {
  await sessions.end(sessionToken);
  return redirectReply(consentPageUri(body), [consentCookie.write(randomToken(), baseUrl)]);
}
