import { getUser } from '../shared/accounts/users.ts';
import { actionWrite } from '../shared/audit/write.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { enrolmentLifetimeMs, storeLink } from '../shared/auth/codes/enrolment-link-store.ts';
import { formatSecret, secretHash } from '../shared/contract/secret.ts';
import { formatTime } from '../shared/html/text.ts';
import { productName } from '../shared/html/theme.ts';
import { ApiError, endpoint, found, type Handler } from '../shared/lambda/endpoint.ts';
import { type MailContent, renderMail } from '../shared/mail/layout.ts';
import { sendMail } from '../shared/mail/mailer.ts';
import { clock, isoTime } from '../shared/runtime/clock.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { utc } from '../shared/runtime/time-zone.ts';
import { enrolmentLinkSendRoute } from './contracts/users.ts';

/**
 * Mails a user a link by which they ask for codes apart from strangers. The link is stored first, because a mailed link must
 * work. Nobody but the mailbox learns it. The record of the action says that the link was created: the mail can fail after it.
 */
export const sendEnrolmentLink: Handler<typeof enrolmentLinkSendRoute> = async ({
  params: { userId },
  baseUrl,
  caller,
}) => {
  const user = found(await getUser(userId));
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
};

function enrolmentEmail({
  url,
  token,
  expiresAtMs,
}: {
  url: string;
  token: string;
  expiresAtMs: number;
}): MailContent {
  const expiry = formatTime(expiresAtMs, utc);
  return renderMail({
    subject: `Your link to sign in to ${productName}`,
    preheader: `It works once, until ${expiry}. Open it on the device that you sign in with.`,
    heading: `Sign in to ${productName}`,
    blocks: [
      {
        kind: 'paragraph',
        content:
          'Open this link on the device that you want to sign in with. Then ask for a code there. Codes that strangers ask for with your address cannot keep yours from arriving.',
      },
      { kind: 'button', label: 'Open the sign-in', url },
      { kind: 'paragraph', content: 'If an app asks for an enrolment token, enter this one:' },
      { kind: 'code', code: token },
      {
        kind: 'paragraph',
        content: ['The link and the token work for one sign-in, until ', { strong: expiry }, '.'],
      },
      { kind: 'heading', content: 'You did not expect it?' },
      {
        kind: 'paragraph',
        content: 'Nobody can sign in with the link alone. You can ignore this mail.',
      },
    ],
    footer: [`You get this mail because an operator of ${productName} entered this address.`],
  });
}

export const handler = endpoint(enrolmentLinkSendRoute, sendEnrolmentLink, operatorCaller);
