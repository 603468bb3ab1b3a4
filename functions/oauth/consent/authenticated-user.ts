import type { getUser as GetUser, User } from '../../shared/accounts/users.ts';
import { isTokenValidFor } from '../../shared/auth/grants/token-ends.ts';
import type { SessionStore } from '../../shared/sign-in/session-store.ts';

/** The user of the session. Undefined once the session has expired, or has ended with the user's access. */
export async function authenticatedUser(
  token: string,
  { sessions, getUser }: { sessions: Pick<SessionStore, 'find'>; getUser: typeof GetUser },
  nowMs: number,
): Promise<User | undefined> {
  const session = await sessions.find(token, nowMs);
  if (session === undefined) return undefined;
  const user = await getUser(session.userId);
  return isTokenValidFor(session, user) ? eligibleUser(user, session.email) : undefined;
}

/** The user, if an operator has made them active and they still have the address. */
export function eligibleUser(user: User | undefined, email: string): User | undefined {
  return user?.status === 'active' && user.email === email ? user : undefined;
}
