import { codeLivesMs, storeCode, withdrawCode } from '../shared/auth/one-time-codes.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { sendMail } from '../shared/mail/mailer.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { randomToken, sixDigits } from '../shared/runtime/random.ts';
import { codeMail } from './emails.ts';
import { routes } from './routes.ts';

const sendDeps = () => ({ storeCode, withdrawCode, sendMail, nowMs, sixDigits, randomToken });

/**
 * Mails a code.
 *
 * It is stored first and withdrawn when it could not be sent: a mail whose code does not work would be worse than
 * a code that nobody knows.
 */
export async function sendCode(
  { body: { email } }: Input<typeof routes.send>,
  { storeCode, withdrawCode, sendMail, nowMs, sixDigits, randomToken }: ReturnType<typeof sendDeps>,
): Promise<Output<typeof routes.send>> {
  const slot = { purpose: 'device', email } as const;
  const code = sixDigits();
  const codeId = randomToken();
  const refusal = await storeCode(slot, { code, codeId }, nowMs());
  if (refusal !== undefined) throw new ApiError('code_send_limited', refusal);
  try {
    await sendMail(email, codeMail({ code, livesMinutes: codeLivesMs / 60_000 }));
  } catch (error) {
    await withdrawCode(slot, codeId);
    throw error;
  }
  return { success: true, message: 'A code was sent. It is valid for 5 minutes.' };
}

export const handler = endpoint(routes.send, sendCode, sendDeps);
