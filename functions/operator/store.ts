import { type Application, type ApplicationKey, getApplication } from '../shared/accounts/applications.ts';
import { getUser, type SocialAccount, type User } from '../shared/accounts/users.ts';
import { defined } from '../shared/contract/defined.ts';
import { type Key, keys, tableSchema } from '../shared/contract/keys.ts';
import type { SecretRecord } from '../shared/contract/secret.ts';
import { getItem, queryItems, transactWrite, updateItem, type Write } from '../shared/table/table.ts';

const exists = `attribute_exists(${tableSchema.partitionKey})`;
const isNew = `attribute_not_exists(${tableSchema.partitionKey})`;

/** A secret that was just made: what the table keeps of it, and what the application's record shows. */
export interface MadeKey {
  keyId: string;
  key: ApplicationKey;
}

/** Applications and their keys in the table. */
export const applicationStore = {
  /** Stores an application and its first keys, all or nothing. */
  async create(application: Application): Promise<void> {
    const made = Object.entries(application.keys).map(([keyId, key]) => ({ keyId, key }));
    await transactWrite([
      { Put: { Item: application } },
      ...made.map((one) => storedSecret(application.applicationId, one)),
    ]);
  },

  get: getApplication,

  /**
   * Sets what is given of name, redirect URIs and settings.
   *
   * @returns the application as it is now; undefined when there is none.
   */
  async change(
    applicationId: string,
    change: Partial<Pick<Application, 'name' | 'redirectUris' | 'settings'>>,
    nowMs: number,
  ): Promise<Application | undefined> {
    const given = Object.entries(change).filter(([, value]) => value !== undefined);
    const outcome = await updateItem(keys.application(applicationId), {
      UpdateExpression: [
        'SET revision = revision + :one, updatedAtMs = :now',
        ...given.map(([name]) => `#${name} = :${name}`),
      ].join(', '),
      ConditionExpression: exists,
      ...(given.length > 0 && {
        ExpressionAttributeNames: Object.fromEntries(given.map(([name]) => [`#${name}`, name])),
      }),
      ExpressionAttributeValues: {
        ':one': 1,
        ':now': nowMs,
        ...Object.fromEntries(given.map(([name, value]) => [`:${name}`, value])),
      },
    });
    return outcome.done ? (outcome.item as Application) : undefined;
  },

  /**
   * Adds a key, and forgets those that `dead` names, in one transaction bound to the application as it was read.
   *
   * @returns false when it changed meanwhile: nothing is written then.
   */
  addKey(application: Application, made: MadeKey, dead: readonly string[]): Promise<boolean> {
    const { applicationId } = application;
    return transactWrite([
      storedSecret(applicationId, made),
      bound(application, {
        set: 'SET #keys.#made = :made, revision = revision + :one',
        remove: dead,
        names: { '#made': made.keyId },
        values: { ':made': made.key },
      }),
    ]);
  },

  /** Removes a key, bound in the same way: from then on nothing finds its secret. */
  removeKey(application: Application, keyId: string, { hash }: ApplicationKey): Promise<boolean> {
    return transactWrite([
      { Delete: { Key: keys.secret(hash) } },
      bound(application, { set: 'SET revision = revision + :one', remove: [keyId], names: {}, values: {} }),
    ]);
  },
};

function storedSecret(applicationId: string, { keyId, key }: MadeKey): Write {
  const { kind, hash, createdAtMs, expiresAtMs } = key;
  const record: SecretRecord = {
    kind,
    keyId,
    applicationId,
    createdAtMs,
    ...defined({ expiresAtMs }),
  };
  const ttl = expiresAtMs === undefined ? {} : { [tableSchema.timeToLive]: Math.ceil(expiresAtMs / 1000) };
  return { Put: { Item: { ...keys.secret(hash), ...record, ...ttl } } };
}

/** A change of an application's keys, under the condition that it is still the one that was read. */
function bound(
  { applicationId, revision }: Application,
  change: { set: string; remove: readonly string[]; names: object; values: object },
): Write {
  const removed = Object.fromEntries(change.remove.map((keyId, i) => [`#r${i}`, keyId]));
  const paths = Object.keys(removed).map((name) => `#keys.${name}`);
  return {
    Update: {
      Key: keys.application(applicationId),
      UpdateExpression: [change.set, ...(paths.length > 0 ? [`REMOVE ${paths.join(', ')}`] : [])].join(' '),
      ConditionExpression: `${exists} AND revision = :revision`,
      ExpressionAttributeNames: { '#keys': 'keys', ...removed, ...change.names },
      ExpressionAttributeValues: { ':one': 1, ':revision': revision, ...change.values },
    },
  };
}

/** Users in the table. */
export const userStore = {
  get: getUser,

  /** The user, and who has the address. */
  async find(userId: string, email: string): Promise<{ user: User | undefined; holder: string | undefined }> {
    const [user, address] = await Promise.all([getUser(userId), getItem(keys.address(email))]);
    return { user, holder: address?.userId as string | undefined };
  },

  /**
   * Writes a user, takes his address and gives up the one before, in one transaction bound to the user as he was
   * read.
   *
   * @returns false when he changed meanwhile, or somebody else took the address: nothing is written then.
   */
  async put(seen: User | undefined, { userId, email, name, status, verified }: User, nowMs: number) {
    const claim: Write = {
      Put: {
        Item: { ...keys.address(email), userId },
        ConditionExpression: `${isNew} OR userId = :userId`,
        ExpressionAttributeValues: { ':userId': userId },
      },
    };
    const profile = userWrite(seen, keys.user(userId), {
      set: [
        'userId = :userId, email = :email, #name = :name, #status = :status, verified = :verified',
        'createdAtMs = if_not_exists(createdAtMs, :now), updatedAtMs = :now',
      ].join(', '),
      names: { '#name': 'name', '#status': 'status' },
      values: {
        ':userId': userId,
        ':email': email,
        ':name': name,
        ':status': status,
        ':verified': verified,
        ':now': nowMs,
      },
    });
    const old = seen !== undefined && seen.email !== email ? seen.email : undefined;
    return transactWrite([profile, claim, ...(old === undefined ? [] : await release(userId, old))]);
  },

  /** The user with his social accounts; undefined when there is none of that id. */
  async withAccounts(userId: string): Promise<{ user: User; accounts: SocialAccount[] } | undefined> {
    const profile = keys.user(userId);
    const items = await queryItems(profile.pk);
    const user = items.find(({ sk }) => sk === profile.sk);
    const accounts = items.filter((item) => item !== user) as unknown as SocialAccount[];
    return user && { user: user as unknown as User, accounts };
  },

  /**
   * Writes a social account and takes the primacy from others, in one transaction bound to the user as he was read.
   *
   * @returns false when he or one of his accounts changed meanwhile: nothing is written then.
   */
  putAccount(user: User, account: SocialAccount, demoted: readonly SocialAccount[]): Promise<boolean> {
    return transactWrite([
      userWrite(user, keys.user(user.userId), { set: '', names: {}, values: {} }),
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
    ]);
  },
};

/** One account of a name on a platform, however they are written. */
function accountKey(userId: string, { platform, username }: SocialAccount): Key {
  return keys.socialAccount(userId, `${platform.toLowerCase()}#${username.toLowerCase()}`.toWellFormed());
}

/** A write of the profile under the condition that it is what was read; devices write its address, but only once. */
function userWrite(
  seen: User | undefined,
  key: Key,
  change: { set: string; names: Record<string, string>; values: Record<string, unknown> },
): Write {
  const isSeen =
    seen === undefined
      ? isNew
      : `email = :seenEmail AND ${seen.revision === undefined ? 'attribute_not_exists(revision)' : 'revision = :seen'}`;
  return {
    Update: {
      Key: key,
      UpdateExpression: `SET ${[change.set, 'revision = if_not_exists(revision, :zero) + :one'].filter(Boolean).join(', ')}`,
      ConditionExpression: isSeen,
      ...(Object.keys(change.names).length > 0 && { ExpressionAttributeNames: change.names }),
      ExpressionAttributeValues: {
        ':zero': 0,
        ':one': 1,
        ...(seen !== undefined && { ':seenEmail': seen.email }),
        ...(seen?.revision !== undefined && { ':seen': seen.revision }),
        ...change.values,
      },
    },
  };
}

/** Gives an address up, if it is the user's: one that only a device verified is nobody's in particular. */
async function release(userId: string, email: string): Promise<Write[]> {
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
