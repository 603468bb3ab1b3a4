import { readMailbox } from '../../shared/auth/mailbox-store.ts';
import { codeLifetimeMs, storeCode, withdrawCode } from '../../shared/auth/one-time-codes.ts';
import { defined } from '../../shared/contract/defined.ts';
import type { Reply } from '../../shared/contract/route.ts';
import { canonicalEmail } from '../../shared/fields/email-address.ts';
import { MailPossiblySent, sendMail } from '../../shared/mail/mailer.ts';
import { minuteMs } from '../../shared/runtime/duration.ts';
import { recordProblem } from '../../shared/runtime/log.ts';
import { randomToken, sixDigits } from '../../shared/runtime/random.ts';
import { consume, type Refusal } from '../../shared/table/rate-limit.ts';
import { signInMail } from './emails.ts';
import { type FormSubmission, invalidEmail, showPage } from './form-submission.ts';
import { codePage, emailPage } from './pages.ts';
import { bindCodeToSession } from './session.ts';

/** By client address. */
const sendLimit = { group: 'sign-in-send', max: 3, windowMs: minuteMs } as const;

export const sendCodeDeps = () => ({
  consume,
  readMailbox,
  storeCode,
  withdrawCode,
  sendMail,
  randomToken,
  sixDigits,
});

/**
 * Mails a sign-in code to any valid address. No account is looked up, so that neither the response nor its
 * timing tells whether there is one.
 *
 * When SES may have accepted the mail, the page still asks for the code, which is valid, and says that it may be late.
 */
export async function sendCode(
  submission: FormSubmission,
  deps: ReturnType<typeof sendCodeDeps>,
): Promise<Reply> {
  const { body, sessionToken, request, requester, nowMs } = submission;
  const { consume, readMailbox, storeCode, withdrawCode, sendMail, randomToken, sixDigits } = deps;
  const email = canonicalEmail(body.email ?? '');
  if (email === undefined) return invalidEmail(submission);
  const isResend = body.step === 'resend';
  const rateLimited = ({ retryAfterSeconds }: Refusal) => {
    const notice = `Too many codes were asked for. Try again in ${retryAfterSeconds} seconds.`;
    const page = isResend
      ? codePage(submission, { email, notice })
      : emailPage(submission, { email, notice });
    return showPage(submission, 429, page, retryAfterSeconds);
  };
  const [verdict, mailbox] = await Promise.all([
    consume(sendLimit, submission.rateLimitKey, nowMs),
    readMailbox(email),
  ]);
  if (!verdict.allowed) return rateLimited(verdict);

  const slot = { purpose: 'sign-in', email } as const;
  const code = sixDigits();
  const codeId = randomToken();
  const bound = { code: bindCodeToSession(sessionToken, code), codeId };
  const refusal = await storeCode(slot, bound, requester, nowMs, mailbox);
  if (refusal !== undefined) return rateLimited(refusal);
  try {
    const applicationName = request.application.name;
    await sendMail(email, signInMail({ code, lifetimeMinutes: codeLifetimeMs / minuteMs, applicationName }));
  } catch (error) {
    if (!(error instanceof MailPossiblySent)) {
      await withdrawCode(slot, codeId);
      throw error;
    }
    recordProblem('a sign-in code may not have been sent', error);
    const notice = 'The mail may arrive late. If it does not arrive within a minute, send a new code.';
    return showPage(submission, 200, codePage(submission, { email, notice }));
  }
  const status = isResend ? 'A new code is on its way to' : undefined;
  return showPage(submission, 200, codePage(submission, { email, ...defined({ status }) }));
}
