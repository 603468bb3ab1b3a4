import * as keys from '../contract/keys.ts';
import { queryUpTo } from '../table/query.ts';
import { batchGetItems } from '../table/table.ts';
import { findAddressOwner, readUser, type User } from './users.ts';

/** The most users that are found. More of one address can exist only if the owner of the mailbox verified them all. */
const maxUsers = 20;

/**
 * Up to 20 users who have an address: the one to whom an operator gave it comes first.
 *
 * The index is only a hint: the address is compared with the profile, because an operator may have changed it.
 *
 * @param email in canonical form.
 */
export async function findUsersByAddress(email: string): Promise<User[]> {
  const partition = keys.verifiedAddressPartition(email);
  const [ownerId, verified] = await Promise.all([
    findAddressOwner(email),
    queryUpTo({ partition, startAfter: undefined }, maxUsers),
  ]);
  const found = verified.map(({ sk }) => sk);
  const ids = [...new Set(ownerId === undefined ? found : [ownerId, ...found])].slice(0, maxUsers);
  const profiles = (await batchGetItems(ids.map(keys.user))).map(readUser);
  const byId = new Map(profiles.map((user) => [user.userId, user]));
  return ids.flatMap((id) => {
    const user = byId.get(id);
    return user?.email === email ? [user] : [];
  });
}
