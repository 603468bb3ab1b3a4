import { hasCurrentStamp } from '../../shared/accounts/security-stamp.ts';
import type { User } from '../../shared/accounts/users.ts';
import { derivedFrom, sessionCookie } from '../../shared/sign-in/session.ts';
import type { Session } from '../../shared/sign-in/session-store.ts';
import { maySignIn } from './users-of-mailbox.ts';

/** Not the cookie of the consent page: a session of one page is none of the other. */
export const accountCookie = sessionCookie('vouchsafe-account');

/**
 * The user of a session, as they are now. Undefined once the user has another security stamp or address, or is suspended.
 */
export function userOfSession(session: Session, present: User | undefined): User | undefined {
  const isValid =
    present !== undefined && maySignIn(present, session.email) && hasCurrentStamp(present, session);
  return isValid ? present : undefined;
}

const outcomes = [
  'device',
  'others',
  'devices',
  'gone',
  'application',
  'part',
  'signed-out',
  'everywhere',
] as const;
/** The outcome of a form, as the page names it to itself. */
export type Done = (typeof outcomes)[number];

/** The proof that the page of this session did it: a link from elsewhere cannot make the page say so. */
export function doneTag(token: string, done: Done): string {
  return `${done}.${derivedFrom(token, 'done', done).slice(0, 22)}`;
}

/** The outcome of the form before. Undefined when another session, or nobody, did it. */
export function readDone(token: string, tag: string | undefined): Done | undefined {
  const named = outcomes.find((one) => one === tag?.split('.', 1)[0]);
  return named !== undefined && doneTag(token, named) === tag ? named : undefined;
}
