import { peekTries, returnTry } from '../auth/code-tries.ts';
import type { RightCode } from '../auth/one-time-code.ts';
import { verifyCode, withdrawCode } from '../auth/one-time-codes.ts';
import type { Reply } from '../contract/route.ts';
import { canonicalEmail } from '../fields/email-address.ts';
import { minuteMs } from '../runtime/duration.ts';
import { randomToken } from '../runtime/random.ts';
import { consume, type Refusal } from '../table/rate-limit.ts';
import { invalidEmail, type SignInForm, type SignInPages } from './attempt.ts';
import { bindCodeToSession } from './session.ts';

/**
 * By client address. A code is void after five wrong attempts; this limit keeps one client from trying many
 * codes.
 */
const signInTryLimit = { group: 'sign-in-try', max: 10, windowMs: minuteMs } as const;

export const checkCodeDeps = () => ({
  consume,
  peekTries,
  returnTry,
  verifyCode,
  withdrawCode,
  randomToken,
});

/** A mailbox that a right code proved. The code is not consumed yet. */
export interface ProvenMailbox {
  email: string;
  code: RightCode;
}

/** Checks the mailed code of a form. @returns the proven mailbox, or the page that says what is wrong. */
export async function checkCode(
  form: SignInForm,
  pages: SignInPages,
  { consume, peekTries, verifyCode, randomToken }: ReturnType<typeof checkCodeDeps>,
): Promise<ProvenMailbox | { refused: Reply }> {
  const { body, sessionToken, requester, nowMs } = form;
  const email = canonicalEmail(body.email ?? '');
  if (email === undefined) return { refused: invalidEmail(form, pages) };
  const code = (body.code ?? '').replaceAll(/[\s-]/g, '');
  if (!/^\d{6}$/.test(code)) return refusedWith(email, pages, 'Enter the six digits of the code.');
  const rateLimited = ({ retryAfterSeconds }: Refusal) => {
    const notice = `Too many codes were tried. Try again in ${retryAfterSeconds} seconds.`;
    return { refused: pages.show(429, pages.code({ email, notice }), retryAfterSeconds) };
  };
  const verdicts = await Promise.all([
    consume(signInTryLimit, form.rateLimitKey, nowMs),
    peekTries(requester.block, nowMs),
  ]);
  const refusal = verdicts.find((verdict) => !verdict.allowed);
  if (refusal !== undefined) return rateLimited(refusal);
  const slot = { purpose: pages.purpose, email } as const;
  const attempt = { requester, tryId: randomToken() };
  const check = await verifyCode(slot, bindCodeToSession(sessionToken, code), attempt, nowMs);
  if (check.result === 'limited') return rateLimited(check.refusal);
  if (check.result === 'wrong') return wrongCode(email, pages);
  return { email, code: check.code };
}

/** The code is wrong, expired, or was used in the meantime. */
export function wrongCode(email: string, pages: SignInPages): { refused: Reply } {
  return refusedWith(email, pages, 'This code is wrong or has expired. Check it, or ask for a new one.');
}

/** Withdraws a right code that signs nobody in, and gives the try back. */
export async function discardCode(
  { code }: ProvenMailbox,
  { withdrawCode, returnTry }: Pick<ReturnType<typeof checkCodeDeps>, 'withdrawCode' | 'returnTry'>,
): Promise<void> {
  await Promise.all([withdrawCode(code.slot, code.codeId), returnTry(code.counted)]);
}

const refusedWith = (email: string, pages: SignInPages, error: string) => ({
  refused: pages.show(400, pages.code({ email, error })),
});
