import { readMailbox, requesterOf } from '../shared/auth/codes/mailbox-store.ts';
import { codeLifetimeMs, storeCode, withdrawCode } from '../shared/auth/codes/one-time-codes.ts';
import { presentedDeviceProof } from '../shared/auth/device-proof.ts';
import { isFirstUse } from '../shared/auth/dpop-store.ts';
import { ApiError, endpoint, type Input, type Output } from '../shared/lambda/endpoint.ts';
import { MailPossiblySent, sendMail } from '../shared/mail/mailer.ts';
import { clock, minuteMs } from '../shared/runtime/clock.ts';
import { randomToken, sixDigits } from '../shared/runtime/random.ts';
import { codeEmail } from './code-email.ts';
import { codeSendRoute } from './contracts/codes.ts';
import { shownBy } from './shown.ts';

type CodeSendRoute = typeof codeSendRoute;

/**
 * Mails a code.
 *
 * The code is stored first, because a mailed code must work. It is withdrawn when it certainly was not sent, and stays
 * valid when SES may have accepted the mail.
 */
export async function sendCode({
  body: { email },
  headers,
  caller: presented,
  remote,
  rateLimitPassed,
}: Input<CodeSendRoute>): Promise<Output<CodeSendRoute>> {
  const slot = { purpose: 'device', email } as const;
  const code = sixDigits();
  const codeId = randomToken();
  const nowMs = clock.nowMs();
  const shown = shownBy(presented, headers);
  // Concurrent with the limit: what depends on the mailbox costs no round trip more.
  const [mailbox, isUnused] = await Promise.all([
    readMailbox(email, { shown }),
    isFirstUse(presented, nowMs),
    rateLimitPassed,
  ]);
  const requester = requesterOf(remote.address, isUnused ? shown : {});
  const stored = await storeCode(slot, { code, codeId }, requester, nowMs, mailbox);
  if ('allowed' in stored) throw new ApiError('code_send_limited', stored);
  try {
    await sendMail(email, codeEmail({ code, lifetimeMinutes: codeLifetimeMs / minuteMs }));
  } catch (error) {
    if (!(error instanceof MailPossiblySent)) await withdrawCode(stored, codeId);
    throw error;
  }
  return { success: true, message: 'A code was sent. It is valid for 5 minutes.' };
}

export const handler = endpoint(codeSendRoute, sendCode, presentedDeviceProof);
