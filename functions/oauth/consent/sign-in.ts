import { findAddressOwner, getUser } from '../../shared/accounts/users.ts';
import type { Reply } from '../../shared/contract/route.ts';
import { redirectReply } from '../../shared/html/page.ts';
import { randomToken } from '../../shared/runtime/random.ts';
import { sendCode as sendSignInCode } from '../../shared/sign-in/send-code.ts';
import { consentSessions } from '../../shared/sign-in/session-store.ts';
import { exchangeCode } from '../../shared/sign-in/sign-in.ts';
import { eligibleUser } from './authenticated-user.ts';
import { noActiveAccount } from './error-pages.ts';
import { type FormSubmission, signInPages } from './form-submission.ts';
import { consentPageUri } from './pages.ts';
import { consentCookie } from './session.ts';

export function sendCode(submission: FormSubmission): Promise<Reply> {
  return sendSignInCode(submission, signInPages(submission));
}

/** Exchanges the mailed code for an authenticated session with a new token. */
export async function signIn(submission: FormSubmission): Promise<Reply> {
  const { body, baseUrl } = submission;
  const page = Object.assign(signInPages(submission), {
    sessions: consentSessions,
    findUser: async (email: string) => {
      const userId = await findAddressOwner(email);
      return userId === undefined ? undefined : eligibleUser(await getUser(userId), email);
    },
    noUser: () => noActiveAccount(body),
  });
  const result = await exchangeCode(submission, page);
  if ('refused' in result) return result.refused;
  return redirectReply(consentPageUri(body), [consentCookie.write(result.token, baseUrl), result.pass]);
}

/** Ends the session, so that another account can sign in. */
export async function switchAccount({ body, sessionToken, baseUrl }: FormSubmission): Promise<Reply> {
  await consentSessions.end(sessionToken);
  return redirectReply(consentPageUri(body), [consentCookie.write(randomToken(), baseUrl)]);
}
