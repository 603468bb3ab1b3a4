import { createHmac } from 'node:crypto';
import type { User } from '../accounts/users.ts';
import { returnTry } from '../auth/codes/code-tries.ts';
import { readAttempt, verifyCode, withdrawCode } from '../auth/codes/one-time-codes.ts';
import { deploymentKey } from '../auth/deployment-key.ts';
import type { Reply } from '../contract/route.ts';
import { canonicalEmail } from '../fields/email-address.ts';
import { codeDigits } from '../fields/mailed-code.ts';
import { minuteMs, secondMs } from '../runtime/clock.ts';
import { randomToken } from '../runtime/random.ts';
import { consume } from '../table/rate-limit.ts';
import type { Refusal } from '../table/sliding-window.ts';
import { invalidEmail, type SignInForm, type SignInPages } from './attempt.ts';
import { passCookie } from './mailbox-cookies.ts';
import { codeHolderOf, sessionLifetimeMs } from './session.ts';
import type { SessionStore } from './session-store.ts';

/** By client address. A code is void after five wrong attempts; this limit keeps one client from trying many codes. */
const signInTryLimit = { group: 'sign-in-try', max: 10, windowMs: minuteMs } as const;

/** A form that is submitted twice, by a double click or a reload, leads to the same session for this time. */
const repeatMs = 10 * secondMs;

/** The parts that differ by page. */
interface PageOfSignIn extends SignInPages {
  sessions: SessionStore;
  /** The user who may sign in with a proven address. */
  findUser(email: string): Promise<User | undefined>;
  /** Shown when there is none. The mailbox is proven by then. */
  noUser(): Reply;
}

/**
 * Exchanges the mailed code for an authenticated session. One code starts one session.
 *
 * @returns the token of the session, and the cookie with the browser's pass; or the page that says what is wrong.
 */
export async function exchangeCode(
  form: SignInForm,
  page: PageOfSignIn,
): Promise<{ token: string; pass: string } | { refused: Reply }> {
  const { body, sessionToken, requester, nowMs } = form;
  const email = canonicalEmail(body.email ?? '');
  if (email === undefined) return { refused: invalidEmail(form, page) };
  const code = codeDigits(body.code ?? '');
  const refusedWith = (error: string) => ({ refused: page.show(400, page.code({ email, error })) });
  if (code === undefined) return refusedWith('Enter the six digits of the code.');
  const rateLimited = ({ retryAfterSeconds }: Refusal) => {
    const notice = `Too many codes were tried. Try again in ${retryAfterSeconds} seconds.`;
    return { refused: page.show(429, page.code({ email, notice }), retryAfterSeconds) };
  };
  const [verdict, attempt] = await Promise.all([
    consume(signInTryLimit, form.rateLimitKey, nowMs),
    readAttempt(email, requester, nowMs),
  ]);
  if (!verdict.allowed) return rateLimited(verdict);
  if ('allowed' in attempt) return rateLimited(attempt);
  const slot = { purpose: page.purpose, email, holder: codeHolderOf(sessionToken) } as const;
  const token = await newTokenOf(sessionToken, email, code);
  const signedIn = async () => ({ token, pass: await passCookie(email, form.baseUrl, nowMs) });
  const repeatOrWrong = async () =>
    (await isNewSession(page.sessions, token, nowMs))
      ? signedIn()
      : refusedWith('This code is wrong or has expired. Check it, or ask for a new one.');
  const check = await verifyCode(slot, code, Object.assign({ tryId: randomToken() }, attempt), nowMs);
  if (check.result === 'limited') return rateLimited(check.refusal);
  if (check.result === 'wrong') return repeatOrWrong();

  const user = await page.findUser(email);
  if (user === undefined) {
    await Promise.all([withdrawCode(slot, check.code.codeId), returnTry(check.code.counted)]);
    return { refused: page.noUser() };
  }
  return (await page.sessions.start(token, user, check.code, nowMs)) ? signedIn() : repeatOrWrong();
}

/**
 * The token of the session that a code starts: 128 bits that the server alone can make from the token before and the code. A
 * repeat of the form yields the same one, and who planted the token before learns nothing (session fixation).
 */
async function newTokenOf(sessionToken: string, email: string, code: string): Promise<string> {
  const key = await deploymentKey('sessions');
  const input = JSON.stringify([sessionToken, email, code]);
  return createHmac('sha256', key).update(input).digest().subarray(0, 16).toString('base64url');
}

/** Whether a session was started a moment ago. Later, a code that was used is as wrong as any. */
async function isNewSession(sessions: SessionStore, token: string, nowMs: number): Promise<boolean> {
  const session = await sessions.find(token, nowMs);
  return session !== undefined && nowMs < session.expiresAtMs - sessionLifetimeMs + repeatMs;
}
