import { getUser } from '../../shared/accounts/users.ts';
import { peekTries, returnTry } from '../../shared/auth/code-tries.ts';
import { verifyCode, withdrawCode } from '../../shared/auth/one-time-codes.ts';
import type { Reply } from '../../shared/contract/route.ts';
import { canonicalEmail } from '../../shared/fields/email-address.ts';
import { redirectReply } from '../../shared/html/page.ts';
import { minuteMs } from '../../shared/runtime/duration.ts';
import { randomToken } from '../../shared/runtime/random.ts';
import { consume, type Refusal } from '../../shared/table/rate-limit.ts';
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
const signInTryLimit = { group: 'sign-in-try', max: 10, windowMs: minuteMs } as const;

export const signInDeps = () => ({
  sessions: sessionStore,
  getUser,
  consume,
  peekTries,
  returnTry,
  verifyCode,
  withdrawCode,
  randomToken,
});

/** Exchanges the mailed code for an authenticated session with a new token. */
export async function signIn(
  submission: FormSubmission,
  deps: ReturnType<typeof signInDeps>,
): Promise<Reply> {
  const { body, sessionToken, baseUrl, requester, nowMs } = submission;
  const { sessions, peekTries, returnTry, verifyCode, withdrawCode, consume, getUser, randomToken } = deps;
  const email = canonicalEmail(body.email ?? '');
  if (email === undefined) return invalidEmail(submission);
  const code = (body.code ?? '').replaceAll(/[\s-]/g, '');
  const showError = (error: string) => showPage(submission, 400, codePage(submission, { email, error }));
  if (!/^\d{6}$/.test(code)) return showError('Enter the six digits of the code.');
  const rateLimited = ({ retryAfterSeconds }: Refusal) => {
    const notice = `Too many codes were tried. Try again in ${retryAfterSeconds} seconds.`;
    return showPage(submission, 429, codePage(submission, { email, notice }), retryAfterSeconds);
  };
  const verdicts = await Promise.all([
    consume(signInTryLimit, submission.rateLimitKey, nowMs),
    peekTries(requester.block, nowMs),
  ]);
  const refusal = verdicts.find((verdict) => !verdict.allowed);
  if (refusal !== undefined) return rateLimited(refusal);
  const slot = { purpose: 'sign-in', email } as const;
  const attempt = { requester, tryId: randomToken() };
  const check = await verifyCode(slot, bindCodeToSession(sessionToken, code), attempt, nowMs);
  const wrongCode = () => showError('This code is wrong or has expired. Check it, or ask for a new one.');
  if (check.result === 'limited') return rateLimited(check.refusal);
  if (check.result === 'wrong') return wrongCode();

  const userId = await sessions.findUserId(email);
  const user = userId === undefined ? undefined : eligibleUser(await getUser(userId), email);
  if (user === undefined) {
    await Promise.all([withdrawCode(slot, check.code.codeId), returnTry(check.code.counted)]);
    return noActiveAccount(body);
  }
  const newToken = randomToken();
  if (!(await sessions.start(newToken, user, check.code, nowMs))) return wrongCode();
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
