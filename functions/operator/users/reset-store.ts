import { getUser, hasCurrentStamp, type User } from '../../shared/accounts/users.ts';
import { keys } from '../../shared/contract/keys.ts';
import { getItem, notExists, transactWrite, type Write } from '../../shared/table/table.ts';
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
  proofId: string;
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
   * the new stamp; one that was of a former stamp does not. A vault of 3 MiB has nine items, so that all of it is removed
   * here and no reader meets a part of it.
   *
   * @param securityStamp a new stamp, used when the devices end.
   * @returns false when something has changed; nothing is written then.
   */
  reset(
    { user, proof, vault }: Access,
    ended: Ended,
    { securityStamp, ...authorship }: Authorship & { securityStamp: string },
  ): Promise<boolean> {
    const { userId } = user;
    const profile = profileWrite(user, keys.user(userId), {
      set: ended.devices ? 'securityStamp = :stamp' : '',
      names: {},
      values: ended.devices ? { ':stamp': securityStamp } : {},
    });
    return transactWrite([
      profile,
      ...(ended.vault ? vaultRemovals(userId, vault) : []),
      proofWrite(user, proof, ended, { securityStamp, endedAtMs: authorship.atMs }),
      auditWrite(userId, { ...authorship, event: 'reset', revision: nextRevision(user), reset: ended }),
    ]);
  },
};

/**
 * Without its vault a proof means nothing, and is removed. With the vault, a proof that ends is kept and marked: it shows
 * whose vault this is, and the next vault replaces both.
 */
function proofWrite(
  user: User,
  proof: Proof | undefined,
  ended: Ended,
  next: { securityStamp: string; endedAtMs: number },
): Write {
  const Key = keys.proof(user.userId);
  if (proof === undefined) return { ConditionCheck: { Key, ConditionExpression: notExists } };
  const { condition, values } = isAsRead(proof);
  const unchanged = { ConditionExpression: condition, ExpressionAttributeValues: values };
  if (ended.vault) return { Delete: { Key, ...unchanged } };
  if (ended.proof) {
    return {
      Update: {
        Key,
        UpdateExpression: 'SET endedAtMs = :endedAtMs',
        ConditionExpression: condition,
        ExpressionAttributeValues: { ...values, ':endedAtMs': next.endedAtMs },
      },
    };
  }
  if (!ended.devices || !hasCurrentStamp(user, proof)) return { ConditionCheck: { Key, ...unchanged } };
  return {
    Update: {
      Key,
      UpdateExpression: 'SET securityStamp = :stamp',
      ConditionExpression: condition,
      ExpressionAttributeValues: { ...values, ':stamp': next.securityStamp },
    },
  };
}

/** The condition that the stored proof is the one that was read, under the same stamp. */
function isAsRead({ salt, securityStamp }: Proof) {
  return securityStamp === undefined
    ? { condition: 'salt = :salt AND attribute_not_exists(securityStamp)', values: { ':salt': salt } }
    : {
        condition: 'salt = :salt AND securityStamp = :former',
        values: { ':salt': salt, ':former': securityStamp },
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
        // Versions start again when a vault replaces that of a former proof.
        ConditionExpression: '#version = :version AND proofId = :proofId',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':version': vault.version, ':proofId': vault.proofId },
      },
    },
    ...parts.map((part): Write => ({ Delete: { Key: part } })),
  ];
}
