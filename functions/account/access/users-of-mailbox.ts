import type { User } from '../../shared/accounts/users.ts';
import { findUsersByAddress } from '../../shared/accounts/users-by-address.ts';

/** The users whose proven address this is, except suspended ones: the one to whom an operator gave the address comes first. */
export async function findUsersOf(email: string): Promise<User[]> {
  return (await findUsersByAddress(email)).filter((user) => maySignIn(user, email));
}

/** Whether a user can use the account page, by an address that a code has proved. */
export function maySignIn(user: User, email: string): boolean {
  return user.email === email && user.status !== 'suspended';
}
