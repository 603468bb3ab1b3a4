import { findAddressOwner, readUser, type User } from '../../shared/accounts/users.ts';
import { keys } from '../../shared/contract/keys.ts';
import { queryUpTo } from '../../shared/table/query.ts';
import { batchGetItems } from '../../shared/table/table.ts';

/** Users of one address that the page offers. More can exist only if the owner of the mailbox verified them all. */
const maxUsers = 20;

/**
 * The users whose proven address this is, except suspended ones: the one to whom an operator gave the address comes first.
 *
 * The index is only a hint: the address is compared with the profile, because an operator may have changed it.
 */
export async function findUsersOf(email: string): Promise<User[]> {
  const partition = keys.verifiedAddressPartition(email);
  const [ownerId, verified] = await Promise.all([
    findAddressOwner(email),
    queryUpTo({ partition, startAfter: undefined }, maxUsers),
  ]);
  const found = verified.map(({ sk }) => sk);
  const ids = [...new Set(ownerId === undefined ? found : [ownerId, ...found])];
  const profiles = (await batchGetItems(ids.map(keys.user))).map(readUser);
  const byId = new Map(profiles.map((user) => [user.userId, user]));
  return ids.flatMap((id) => {
    const user = byId.get(id);
    return user !== undefined && maySignIn(user, email) ? [user] : [];
  });
}

/** Whether a user can use the account page, by an address that a code has proved. */
export function maySignIn(user: User, email: string): boolean {
  return user.email === email && user.status !== 'suspended';
}
