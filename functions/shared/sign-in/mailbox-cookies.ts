/** The cookies by which a browser shows that its user has a mailbox. They sign nobody in. */
import { enrolmentLifetimeMs } from '../auth/codes/enrolment-link-store.ts';
import { newPass, passTag } from '../auth/codes/mailbox-pass.ts';
import type { Shown } from '../auth/codes/mailbox-store.ts';
import { verifiedSourceLimits } from '../auth/codes/verified-sources.ts';
import { defined } from '../contract/defined.ts';
import { formatSecret } from '../contract/secret.ts';
import { mailboxOf } from '../fields/mailbox.ts';
import { isSecure, sessionCookie } from './session.ts';

const enrolment = sessionCookie('vouchsafe-enrolment');

/** A browser has a pass for each mailbox. Further cookies are ignored: each takes a comparison. */
const maxPasses = 10;
const passName = (baseUrl: string) => `${isSecure(baseUrl) ? '__Host-' : ''}vouchsafe-mailbox-`;

export function shownByCookies(cookieHeader: string | undefined, baseUrl: string): Shown {
  const token = enrolment.read(cookieHeader, baseUrl);
  const passes = (cookieHeader ?? '')
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(passName(baseUrl)))
    .slice(0, maxPasses)
    .map((cookie) => cookie.slice(cookie.indexOf('=') + 1));
  return defined({ passes, enrolment: token && formatSecret('enrolment_token', token) });
}

/** `Set-Cookie` for a pass, after a sign-in with an address. */
export async function passCookie(email: string, baseUrl: string, nowMs: number): Promise<string> {
  const mailbox = mailboxOf(email);
  const [tag, pass] = await Promise.all([passTag(mailbox), newPass(mailbox, nowMs)]);
  return sessionCookie(`vouchsafe-mailbox-${tag}`).write(pass, baseUrl, verifiedSourceLimits.lifetimeMs);
}

/** `Set-Cookie` for the token of an enrolment link; none for a text that is no token. */
export function enrolmentCookies(token: string | undefined, baseUrl: string): string[] {
  const [, random] = /^vet_([\w-]{22})$/.exec(token ?? '') ?? [];
  return random === undefined ? [] : [enrolment.write(random, baseUrl, enrolmentLifetimeMs)];
}
