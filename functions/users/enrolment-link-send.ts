import { getUser } from '../shared/accounts/users.ts';
import { actionWrite } from '../shared/audit/write.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { enrolmentLifetimeMs, storeLink } from '../shared/auth/codes/enrolment-link-store.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { formatSecret, secretHash } from '../shared/contract/secret.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { sendMail } from '../shared/mail/mailer.ts';
import { clock, isoTime } from '../shared/runtime/clock.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { route } from './contracts/enrolment-link-send.ts';
import { enrolmentEmail } from './enrolment-email.ts';

/**
 * Mails a user a link by which they ask for codes apart from strangers. The link is stored first, because a mailed link must
 * work. Nobody but the mailbox learns it. The record of the action says that the link was created: the mail can fail after it.
 */
export async function sendEnrolmentLink({
  params: { userId },
  baseUrl,
  caller,
}: Input<typeof route>): Promise<Output<typeof route>> {
  const user = await getUser(userId);
  if (user === undefined) throw new ApiError('not_found');
  if (user.status === 'suspended') throw new ApiError('conflict', { details: { status: 'is suspended' } });
  const nowMs = clock.nowMs();
  const token = formatSecret('enrolment_token', randomToken());
  const audit = actionWrite(caller, { action: 'user.enrolment_link_created', id: userId });
  await storeLink(user.email, secretHash(token), nowMs, audit);
  const expiresAtMs = nowMs + enrolmentLifetimeMs;
  await sendMail(
    user.email,
    enrolmentEmail({ url: `${baseUrl}/account?enrolment=${token}`, token, expiresAtMs }),
  );
  return { email: user.email, expiresAt: isoTime(expiresAtMs) };
}

export const handler = endpoint(route, sendEnrolmentLink, operatorCaller);
