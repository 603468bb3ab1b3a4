/**
 * The session of a person in the console: one cookie with the id of their operator key and a random token.
 *
 * The SHA-256 of the whole is stored, for eight hours, and the operator key itself never. With its id in the cookie, one read
 * finds the session and the key as it is then. Every sign-in makes a new cookie (session fixation).
 */
import { isEqualInConstantTime } from '../../shared/runtime/constant-time.ts';
import { hourMs, minuteMs } from '../../shared/runtime/duration.ts';
import { randomToken } from '../../shared/runtime/random.ts';
import { derivedFrom, sessionCookie } from '../../shared/sign-in/session.ts';
import type { UndoneDecision } from '../pages/visit.ts';

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

const proofOf = (token: string, text: string): string =>
  derivedFrom(token, 'notice', text).slice(0, proofLength);

/** A notice with the proof that a page of this session made it: a link from elsewhere cannot make a page say so. */
export function noticeTag(token: string, text: string): string {
  return proofOf(token, text) + text;
}

/** How long a decision can be undone with its notice. It can be withdrawn on the page of the link later. */
const undoMs = minuteMs;

/** A decision that can be undone, with the proof of this session. */
export function undoTag(token: string, { linkId, revision }: UndoneDecision, nowMs: number): string {
  return noticeTag(token, [linkId, revision, nowMs].join('#'));
}

/** The decision of a tag. Undefined when its time is over. */
export function readUndo(token: string, tag: string | undefined, nowMs: number): UndoneDecision | undefined {
  const [, linkId, revision, atMs] = /^(lnk_\w{26})#(\d+)#(\d+)$/.exec(readNotice(token, tag) ?? '') ?? [];
  if (linkId === undefined || nowMs - Number(atMs) > undoMs) return undefined;
  return { linkId, revision: Number(revision) };
}

/** The notice of a tag. Undefined when another session, or nobody, made it. */
export function readNotice(token: string, tag: string | undefined): string | undefined {
  if (tag === undefined) return undefined;
  const text = tag.slice(proofLength);
  return isEqualInConstantTime(proofOf(token, text), tag.slice(0, proofLength)) ? text : undefined;
}
