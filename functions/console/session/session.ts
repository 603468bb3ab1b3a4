/**
 * The session of a person in the console: one cookie with the id of their operator key and a random token.
 *
 * The SHA-256 of the whole is stored, for eight hours, and the operator key itself never. With its id in the cookie, one read
 * finds the session and the key as it is then. Every sign-in makes a new cookie (session fixation).
 */

import { hourMs } from '../../shared/runtime/clock.ts';
import { isEqualInConstantTime } from '../../shared/runtime/constant-time.ts';
import { randomToken } from '../../shared/runtime/random.ts';
import { derivedFrom, sessionCookie } from '../../shared/sign-in/session.ts';
import type { NoticeForm } from '../pages/visit.ts';

/** Since the sign-in: using the session does not prolong it. */
export const consoleSessionMs = 8 * hourMs;

/** Binds the form of the sign-in to the browser. It is no session, and never becomes one. */
export const signInCookie = sessionCookie('vouchsafe-console-sign-in', {
  form: /^[\w-]{22}$/,
  sameSite: 'Strict',
});

const keyIdLength = 'key_'.length + 26;

/** Strict: a page of another site that opens the search with a text learns nothing from the time that it takes. */
export const consoleCookie = sessionCookie('vouchsafe-console', {
  form: /^key_[0-9A-HJKMNP-TV-Z]{26}[\w-]{22}$/,
  sameSite: 'Strict',
});

/** The token of a new session of an operator key. */
export const newSessionToken = (keyId: string): string => keyId + randomToken();

/** The operator key of a session, by the token of the session. */
export const keyIdOf = (token: string): string => token.slice(0, keyIdLength);

const proofLength = 22;

type Tagged = 'notice' | 'form of a notice';

const proofOf = (token: string, kind: Tagged, text: string): string =>
  derivedFrom(token, kind, text).slice(0, proofLength);

/** A notice with the proof that a page of this session made it: a link from elsewhere cannot make a page say so. */
export function noticeTag(token: string, text: string): string {
  return proofOf(token, 'notice', text) + text;
}

/** The notice of a tag. Undefined when another session, or nobody, made it. */
export const readNotice = (token: string, tag: string | undefined) => readTag(token, 'notice', tag);

/** The form of a notice with the proof of this session. A text of a notice is no form. */
export function formTag(token: string, form: NoticeForm): string {
  const text = JSON.stringify(form);
  return proofOf(token, 'form of a notice', text) + text;
}

/** The form of a tag. Undefined when its time is over. */
export function readForm(token: string, tag: string | undefined, nowMs: number): NoticeForm | undefined {
  const text = readTag(token, 'form of a notice', tag);
  const form: NoticeForm | undefined = text === undefined ? undefined : JSON.parse(text);
  return form === undefined || nowMs > form.untilMs ? undefined : form;
}

function readTag(token: string, kind: Tagged, tag: string | undefined): string | undefined {
  if (tag === undefined) return undefined;
  const text = tag.slice(proofLength);
  return isEqualInConstantTime(proofOf(token, kind, text), tag.slice(0, proofLength)) ? text : undefined;
}
