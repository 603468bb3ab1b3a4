import { getUser } from '../../shared/accounts/users.ts';
import { verifyCode, withdrawCode } from '../../shared/auth/one-time-codes.ts';
import type { Reply } from '../../shared/contract/route.ts';
import { canonicalEmail } from '../../shared/fields/email-address.ts';
import { redirectReply } from '../../shared/html/page.ts';
import { minuteMs } from '../../shared/runtime/duration.ts';
import { randomToken } from '../../shared/runtime/random.ts';
import { consume } from '../../shared/table/rate-limit.ts';
import { eligibleUser } from './authenticated-user.ts';
import { noActiveAccount } from './error-pages.ts';
import { type FormSubmission, invalidEmail, showPage } from './form-submission.ts';
import { codePage, consentPageUri } from './pages.ts';
import { bindCodeToSession, sessionCookie } from './session.ts';
import { sessionStore } from './store.ts';

/**
 * By client address. A code is void after five wrong attempts; this limit keeps one client from trying many
 * codes.
 */
const tryLimit = { group: 'sign-in-try', max: 10, windowMs: minuteMs } as const;

export const signInDeps = () => ({
  sessions: sessionStore,
  getUser,
  consume,
  verifyCode,
  withdrawCode,
  randomToken,
});

/** Exchanges the mailed code for an authenticated session with a new token. */
export async function signIn(
  submission: FormSubmission,
  deps: ReturnType<typeof signInDeps>,
): Promise<Reply> {
  const { body, sessionToken, baseUrl, nowMs } = submission;
  const { sessions, verifyCode, withdrawCode, consume, getUser, randomToken } = deps;
  const email = canonicalEmail(body.email ?? '');
  if (email === undefined) return invalidEmail(submission);
  const code = (body.code ?? '').replaceAll(/[\s-]/g, '');
  const showError = (error: string) => showPage(submission, 400, codePage(submission, { email, error }));
  if (!/^\d{6}$/.test(code)) return showError('Enter the six digits of the code.');
  const verdict = await consume(tryLimit, submission.rateLimitKey, nowMs);
  if (!verdict.allowed) {
    const notice = `Too many codes were tried. Try again in ${verdict.retryAfterSeconds} seconds.`;
    return showPage(submission, 429, codePage(submission, { email, notice }), verdict.retryAfterSeconds);
  }
  const slot = { purpose: 'sign-in', email } as const;
  const codeId = await verifyCode(slot, bindCodeToSession(sessionToken, code), nowMs);
  const wrongCode = () => showError('This code is wrong or has expired. Check it, or ask for a new one.');
  if (codeId === undefined) return wrongCode();

  const userId = await sessions.findUserId(email);
  const user = userId === undefined ? undefined : eligibleUser(await getUser(userId), email);
  if (user === undefined) {
    await withdrawCode(slot, codeId);
    return noActiveAccount(body);
  }
  const newToken = randomToken();
  if (!(await sessions.start(newToken, user, { slot, codeId }, nowMs))) return wrongCode();
  return redirectReply(consentPageUri(body), [sessionCookie(newToken, baseUrl)]);
}

/** Ends the session, so that another account can sign in. */
export async function switchAccount(
  { body, sessionToken, baseUrl }: FormSubmission,
  { sessions, randomToken }: Pick<ReturnType<typeof signInDeps>, 'sessions' | 'randomToken'>,
): Promise<Reply> {
  await sessions.end(sessionToken);
  return redirectReply(consentPageUri(body), [sessionCookie(randomToken(), baseUrl)]);
}
