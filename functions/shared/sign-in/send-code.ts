import { readMailbox } from '../auth/codes/mailbox-store.ts';
import { codeLifetimeMs, storeCode, withdrawCode } from '../auth/codes/one-time-codes.ts';
import { defined } from '../contract/defined.ts';
import type { Reply } from '../contract/route.ts';
import { canonicalEmail } from '../fields/email-address.ts';
import { MailPossiblySent, sendMail } from '../mail/mailer.ts';
import { minuteMs } from '../runtime/clock.ts';
import { recordProblem } from '../runtime/log.ts';
import { randomToken, sixDigits } from '../runtime/random.ts';
import { consume } from '../table/rate-limit.ts';
import type { Refusal } from '../table/sliding-window.ts';
import { invalidEmail, type SignInForm, type SignInPages } from './attempt.ts';
import { codeHolderOf } from './session.ts';

/** By client address. */
const sendLimit = { group: 'sign-in-send', max: 3, windowMs: minuteMs } as const;

/**
 * Mails a sign-in code to any valid address. No account is looked up, so that neither the response nor its
 * timing tells whether there is one.
 *
 * When SES may have accepted the mail, the page still asks for the code, which is valid, and says that it may be late.
 */
export async function sendCode(form: SignInForm, pages: SignInPages): Promise<Reply> {
  const { body, sessionToken, requester, nowMs } = form;
  const email = canonicalEmail(body.email ?? '');
  if (email === undefined) return invalidEmail(form, pages);
  const isResend = body.step === 'resend';
  const rateLimited = ({ retryAfterSeconds }: Refusal) => {
    const notice = `Too many codes were requested. Try again in ${retryAfterSeconds} seconds.`;
    const page = isResend ? pages.code({ email, notice }) : pages.email({ email, notice });
    return pages.show(429, page, retryAfterSeconds);
  };
  const [verdict, mailbox] = await Promise.all([
    consume(sendLimit, form.rateLimitKey, nowMs),
    readMailbox(email, requester),
  ]);
  if (!verdict.allowed) return rateLimited(verdict);

  const slot = { purpose: pages.purpose, email, holder: codeHolderOf(sessionToken) } as const;
  const code = sixDigits();
  const codeId = randomToken();
  const stored = await storeCode(slot, { code, codeId }, requester, nowMs, mailbox);
  if ('allowed' in stored) return rateLimited(stored);
  try {
    await sendMail(email, pages.mail(code, codeLifetimeMs / minuteMs));
  } catch (error) {
    if (!(error instanceof MailPossiblySent)) {
      await withdrawCode(slot, codeId);
      throw error;
    }
    recordProblem('a sign-in code may not have been sent', error);
    const notice = 'The mail may arrive late. If it does not arrive within a minute, send a new code.';
    return pages.show(200, pages.code({ email, notice }));
  }
  const status = isResend ? 'A new code is on its way to' : undefined;
  return pages.show(200, pages.code({ email, ...defined({ status }) }));
}
