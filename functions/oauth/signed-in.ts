import type { getUser, User } from '../shared/accounts/users.ts';
import type { sessionStore } from './store.ts';

/** The user whom the session is of, as long as it lasts and he may sign in. */
export async function signedIn(
  token: string,
  { sessions, getUser: get }: { sessions: Pick<typeof sessionStore, 'find'>; getUser: typeof getUser },
  nowMs: number,
): Promise<User | undefined> {
  const session = await sessions.find(token, nowMs);
  return session && maySignIn(await get(session.userId), session.email);
}

/** One whom an operator has entered, who is active, and whose address it still is. */
export function maySignIn(user: User | undefined, email: string): User | undefined {
  return user?.status === 'active' && user.email === email ? user : undefined;
}
