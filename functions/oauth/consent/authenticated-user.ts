import { getUser, type User } from '../../shared/accounts/users.ts';
import { isTokenValidFor } from '../../shared/auth/grants/token-ends.ts';
import { consentSessions } from '../../shared/sign-in/session-store.ts';

/** The user of the session. Undefined once the session has expired, or has ended with the user's access. */
export async function authenticatedUser(token: string, nowMs: number): Promise<User | undefined> {
  const session = await consentSessions.find(token, nowMs);
  if (session === undefined) return undefined;
  const user = await getUser(session.userId);
  return isTokenValidFor(session, user) ? eligibleUser(user, session.email) : undefined;
}

/** The user, if an operator has made them active and they still have the address. */
export function eligibleUser(user: User | undefined, email: string): User | undefined {
  return user?.status === 'active' && user.email === email ? user : undefined;
}
