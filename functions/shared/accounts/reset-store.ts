import { auditWrite } from '../audit/write.ts';
import type { Authorship, Ended } from '../contract/audit.ts';
import * as keys from '../contract/keys.ts';
import { notExists, transactWrite, type Write } from '../table/table.ts';
import { nextRevision, profileWrite } from './profile-write.ts';
import { hasCurrentStamp } from './security-stamp.ts';
import { findProof, proofAsRead, type StoredProof } from './stored-proof.ts';
import { getUser, type User } from './users.ts';
import { findVaultHead, type VaultHead, vaultAsRead } from './vault-head.ts';

export interface Access {
  user: User;
  proof: StoredProof | undefined;
  /** Undefined also when the reset leaves the vault. */
  vault: VaultHead | undefined;
}

export const resetStore = {
  /** The access that a reset ends. Undefined when there is no user: whoever has a trusted device or a vault is one. */
  async find(userId: string, { vault }: Ended): Promise<Access | undefined> {
    const [user, proof, head] = await Promise.all([
      getUser(userId),
      findProof(userId),
      vault ? findVaultHead(userId) : undefined,
    ]);
    return user && { user, proof, vault: head };
  },

  /**
   * Ends it in one transaction with the audit record, on the condition that everything is as it was read.
   *
   * Devices, sessions and tokens end with the security stamp under which they were made. A proof that is to remain gets
   * the new stamp; one that was of a former stamp does not. A vault of 3 MiB has nine items, so that all of it is removed
   * here and no reader meets a part of it.
   *
   * @param securityStamp a new stamp, used when the devices end.
   * @param also writes for the same transaction, that of the grants that end with the devices.
   * @returns false when something has changed; nothing is written then.
   */
  reset(
    { user, proof, vault }: Access,
    ended: Ended,
    { securityStamp, ...authorship }: Authorship & { securityStamp: string },
    also: readonly Write[],
  ): Promise<boolean> {
    const { userId } = user;
    const profile = profileWrite(user, keys.user(userId), {
      set: ended.devices ? 'securityStamp = :stamp' : '',
      values: ended.devices ? { ':stamp': securityStamp } : {},
    });
    const object = { id: userId };
    return transactWrite([
      profile,
      ...(ended.vault ? vaultRemovals(userId, vault) : []),
      proofWrite(user, proof, ended, { securityStamp, endedAtMs: authorship.atMs }),
      auditWrite(object, { ...authorship, action: 'user.reset', revision: nextRevision(user), reset: ended }),
      ...also,
    ]);
  },
};

/**
 * Without its vault a proof means nothing, and is removed. With the vault, a proof that ends is kept and marked: it shows
 * whose vault this is, and the next vault replaces both.
 */
function proofWrite(
  user: User,
  proof: StoredProof | undefined,
  ended: Ended,
  next: { securityStamp: string; endedAtMs: number },
): Write {
  const Key = keys.proof(user.userId);
  if (proof === undefined) return { ConditionCheck: { Key, ConditionExpression: notExists } };
  const unchanged = proofAsRead(proof);
  if (ended.vault) return { Delete: { Key, ...unchanged } };
  if (ended.proof) {
    return {
      Update: {
        Key,
        UpdateExpression: 'SET endedAtMs = :endedAtMs',
        ...unchanged,
        ExpressionAttributeValues: { ...unchanged.ExpressionAttributeValues, ':endedAtMs': next.endedAtMs },
      },
    };
  }
  if (!ended.devices || !hasCurrentStamp(user, proof)) return { ConditionCheck: { Key, ...unchanged } };
  return {
    Update: {
      Key,
      UpdateExpression: 'SET securityStamp = :stamp',
      ...unchanged,
      ExpressionAttributeValues: { ...unchanged.ExpressionAttributeValues, ':stamp': next.securityStamp },
    },
  };
}

function vaultRemovals(userId: string, vault: VaultHead | undefined): Write[] {
  const Key = keys.vault(userId);
  if (vault === undefined) return [{ ConditionCheck: { Key, ...vaultAsRead(vault) } }];
  const parts = Array.from({ length: vault.parts }, (_, i) => keys.vaultPart(userId, i + 1));
  return [
    { Delete: { Key, ...vaultAsRead(vault) } },
    ...parts.map((part): Write => ({ Delete: { Key: part } })),
  ];
}
