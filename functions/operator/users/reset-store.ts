import { getUser, hasCurrentStamp, type User } from '../../shared/accounts/users.ts';
import { keys } from '../../shared/contract/keys.ts';
import { type Condition, getItem, notExists, transactWrite, type Write } from '../../shared/table/table.ts';
import type { Authorship, Ended } from './audit.ts';
import { auditWrite } from './audit-store.ts';
import { nextRevision, profileWrite } from './store.ts';

/** The part of a stored proof that a reset is bound to. */
interface Proof {
  salt: Uint8Array;
  securityStamp?: string;
}

/** The part of the head of a vault that a reset is bound to. */
interface VaultHead {
  version: number;
  /** Number of further parts. */
  parts: number;
}

/** What a reset can end, as it was read. */
export interface Access {
  user: User;
  proof: Proof | undefined;
  /** Undefined also when the reset leaves the vault. */
  vault: VaultHead | undefined;
}

/** Ends what users have set up. */
export const resetStore = {
  /** What a reset ends. Undefined when there is no user: whoever has a trusted device or a vault is one. */
  async find(userId: string, { vault }: Ended): Promise<Access | undefined> {
    const [user, proof, head] = await Promise.all([
      getUser(userId),
      getItem(keys.proof(userId)),
      vault ? getItem(keys.vault(userId)) : undefined,
    ]);
    return user && { user, proof: proof as Proof | undefined, vault: head as VaultHead | undefined };
  },

  /**
   * Ends it in one transaction with the audit record, on the condition that everything is as it was read.
   *
   * Devices, sessions and tokens end with the security stamp under which they were made. A proof that is to remain gets
   * the new stamp; one that had already ended does not, and stays ended. A vault of 3 MiB has nine items, so that all of
   * it is removed here and no reader meets a part of it.
   *
   * @param stamps two new stamps.
   * @returns false when something has changed; nothing is written then.
   */
  reset(
    { user, proof, vault }: Access,
    ended: Ended,
    stamps: { user: string; proof: string },
    authorship: Authorship,
  ): Promise<boolean> {
    const { userId } = user;
    const profile = profileWrite(user, keys.user(userId), {
      set: ended.devices ? 'securityStamp = :stamp' : '',
      names: {},
      values: ended.devices ? { ':stamp': stamps.user } : {},
    });
    return transactWrite([
      profile,
      ...(ended.vault ? vaultRemovals(userId, vault) : []),
      proofWrite(user, proof, ended, stamps),
      auditWrite(userId, { ...authorship, event: 'reset', revision: nextRevision(user), reset: ended }),
    ]);
  },
};

/**
 * Without the vault a proof means nothing, and is removed with it. With the vault that it belonged to, a proof that ends
 * stays, under a stamp that no user has: its successor is written over it.
 */
function proofWrite(
  user: User,
  proof: Proof | undefined,
  ended: Ended,
  stamps: { user: string; proof: string },
): Write {
  const Key = keys.proof(user.userId);
  if (proof === undefined) return { ConditionCheck: { Key, ConditionExpression: notExists } };
  const isUnchanged = {
    ConditionExpression: 'salt = :salt',
    ExpressionAttributeValues: { ':salt': proof.salt },
  } satisfies Condition;
  if (ended.vault) return { Delete: { Key, ...isUnchanged } };
  const remains = ended.devices && hasCurrentStamp(user, proof);
  if (!ended.proof && !remains) return { ConditionCheck: { Key, ...isUnchanged } };
  const stamp = ended.proof ? stamps.proof : stamps.user;
  return {
    Update: {
      Key,
      UpdateExpression: 'SET securityStamp = :stamp',
      ConditionExpression: isUnchanged.ConditionExpression,
      ExpressionAttributeValues: { ...isUnchanged.ExpressionAttributeValues, ':stamp': stamp },
    },
  };
}

function vaultRemovals(userId: string, vault: VaultHead | undefined): Write[] {
  const Key = keys.vault(userId);
  if (vault === undefined) return [{ ConditionCheck: { Key, ConditionExpression: notExists } }];
  const parts = Array.from({ length: vault.parts }, (_, i) => keys.vaultPart(userId, i + 1));
  return [
    {
      Delete: {
        Key,
        ConditionExpression: '#version = :version',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':version': vault.version },
      },
    },
    ...parts.map((part): Write => ({ Delete: { Key: part } })),
  ];
}
