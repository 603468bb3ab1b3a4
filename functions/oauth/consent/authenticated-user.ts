import type { getUser, User } from '../../shared/accounts/users.ts';
import type { sessionStore } from './store.ts';

/** The user of the session. Undefined once the session has expired or the user may no longer sign in. */
export async function authenticatedUser(
  token: string,
  { sessions, getUser: get }: { sessions: Pick<typeof sessionStore, 'find'>; getUser: typeof getUser },
  nowMs: number,
): Promise<User | undefined> {
  const session = await sessions.find(token, nowMs);
  return session && eligibleUser(await get(session.userId), session.email);
}

/** The user, if an operator has entered them, they are active, and the address is still theirs. */
export function eligibleUser(user: User | undefined, email: string): User | undefined {
  return user?.status === 'active' && user.email === email ? user : undefined;
}
