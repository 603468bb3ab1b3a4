import { nextRevision, profileWrite } from '../shared/accounts/profile-write.ts';
import {
  findAddressOwner,
  getUser,
  readSocialAccount,
  readUser,
  type SocialAccount,
  type User,
} from '../shared/accounts/users.ts';
import { auditWrite } from '../shared/audit/write.ts';
import { grantEndStore } from '../shared/auth/grants/grant-end-store.ts';
import type { AuditChange, Authorship } from '../shared/contract/audit.ts';
import { defined } from '../shared/contract/defined.ts';
import * as keys from '../shared/contract/keys.ts';
import { directoryListing } from '../shared/table/listing.ts';
import { queryItems } from '../shared/table/query.ts';
import { exists, getItem, notExists, transactWrite, type Write } from '../shared/table/table.ts';

export const userStore = {
  /** The user, and the id of the user who has the address. */
  async getWithAddressOwner(
    userId: string,
    email: string,
  ): Promise<{ user: User | undefined; addressOwnerId: string | undefined }> {
    const [user, addressOwnerId] = await Promise.all([getUser(userId), findAddressOwner(email)]);
    return { user, addressOwnerId };
  },

  /**
   * Writes a user, claims their address and releases the former one, in one transaction on the condition that the user
   * is as it was read.
   *
   * An audit record says that the user was created, or which address, status, verification and name they had before.
   * When the address changes, the transaction also replaces the security stamp and ends the grants: whatever was
   * verified or granted under the former address ends with it.
   *
   * @param securityStamp a new stamp, used when the address changes.
   * @returns false when the user has changed, or another user has claimed the address; nothing is written then.
   */
  async put(
    current: User | undefined,
    next: User,
    { securityStamp, ...authorship }: Authorship & { securityStamp: string },
  ): Promise<boolean> {
    const { userId, email, name, status, verified } = next;
    const former = current !== undefined && current.email !== email ? current : undefined;
    const formerEmail = former?.email;
    const claim: Write = {
      Put: {
        Item: { ...keys.address(email), userId },
        ConditionExpression: `${notExists} OR userId = :userId`,
        ExpressionAttributeValues: { ':userId': userId },
      },
    };
    const createdAtMs = next.createdAtMs ?? authorship.atMs;
    const { list, listedAt, listed } = directoryListing('user', { id: userId, atMs: createdAtMs });
    const profile = profileWrite(current, keys.user(userId), {
      set: [
        'userId = :userId, email = :email, #name = :name, #status = :status, verified = :verified',
        'createdAtMs = if_not_exists(createdAtMs, :now), updatedAtMs = :now',
        '#list = :list, listedAt = :listedAt, listed = :listed',
        ...(formerEmail === undefined ? [] : ['securityStamp = :stamp']),
      ].join(', '),
      values: {
        ':userId': userId,
        ':email': email,
        ':name': name,
        ':status': status,
        ':verified': verified,
        ':now': authorship.atMs,
        ':list': list,
        ':listedAt': listedAt,
        ':listed': listed,
        ...defined({ ':stamp': formerEmail === undefined ? undefined : securityStamp }),
      },
    });
    const entry = auditedChange(current, next);
    const audits = entry
      ? [auditWrite({ id: userId }, { ...authorship, ...entry, revision: nextRevision(current) })]
      : [];
    if (former === undefined || formerEmail === undefined) return transactWrite([profile, claim, ...audits]);
    const { atMs } = authorship;
    const [releases, grants] = await Promise.all([
      releaseWrites(userId, formerEmail),
      grantEndStore.find(userId, atMs),
    ]);
    const ends = await grantEndStore.endWrites(former, grants, { by: 'operator', atMs });
    if (ends === undefined) return false;
    return transactWrite([profile, claim, ...releases, ...ends, ...audits]);
  },

  async getWithAccounts(userId: string): Promise<{ user: User; accounts: SocialAccount[] } | undefined> {
    const profile = keys.user(userId);
    const items = await queryItems(profile.pk);
    const user = items.find(({ sk }) => sk === profile.sk);
    const accounts = items.filter((item) => item !== user).map(readSocialAccount);
    return user && { user: readUser(user), accounts };
  },

  /**
   * Writes a social account and makes others secondary, in one transaction on the condition that the user is
   * as it was read.
   *
   * @returns false when the user or one of their accounts has changed; nothing is written then.
   */
  putAccount(
    user: User,
    account: SocialAccount,
    demoted: readonly SocialAccount[],
    audit: readonly Write[],
  ): Promise<boolean> {
    return transactWrite([
      profileWrite(user, keys.user(user.userId), { set: '', values: {} }),
      { Put: { Item: { ...accountKey(user.userId, account), ...account } } },
      ...demoted.map(
        (other): Write => ({
          Update: {
            Key: accountKey(user.userId, other),
            UpdateExpression: 'SET isPrimary = :false, updatedAtMs = :now',
            ConditionExpression: exists,
            ExpressionAttributeValues: { ':false': false, ':now': account.updatedAtMs },
          },
        }),
      ),
      ...audit,
    ]);
  },
};

/** The change of a user that leaves an audit record. The action is named after the first changed field. */
function auditedChange(current: User | undefined, next: User): AuditChange | undefined {
  if (current === undefined) return { action: 'user.created' };
  const [first, ...others] = (['email', 'status', 'verified', 'name'] as const).filter(
    (field) => current[field] !== next[field],
  );
  if (first === undefined) return undefined;
  const former = [first, ...others].map((field) => [field, current[field]]);
  return { action: `user.${first}_changed`, before: defined(Object.fromEntries(former)) };
}

/** Platform and username identify an account, regardless of case. */
function accountKey(userId: string, { platform, username }: SocialAccount): keys.Key {
  return keys.socialAccount(userId, `${platform.toLowerCase()}#${username.toLowerCase()}`.toWellFormed());
}

/** Releases an address if the user has it. An address that only a device verified belongs to no user. */
async function releaseWrites(userId: string, email: string): Promise<Write[]> {
  const key = keys.address(email);
  if ((await getItem(key))?.userId !== userId) return [];
  return [
    {
      Delete: {
        Key: key,
        ConditionExpression: 'userId = :userId',
        ExpressionAttributeValues: { ':userId': userId },
      },
    },
  ];
}
