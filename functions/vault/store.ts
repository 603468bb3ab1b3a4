import { proofIdOf, type StoredProof } from '../shared/accounts/stored-proof.ts';
import { findVaultHead, type VaultHead, vaultAsRead } from '../shared/accounts/vault-head.ts';
import * as keys from '../shared/contract/keys.ts';
import { packBlob, unpackBlob } from '../shared/table/blob.ts';
import { getItem, type Item, notExists, transactWrite, type Write } from '../shared/table/table.ts';
import type { Vault } from './vault.ts';

/** A further part of the ciphertext. The next version overwrites the same items. */
interface Part extends Item {
  version: number;
  data: Uint8Array;
}

/** A read that meets a concurrent write starts again. */
const maxReadAttempts = 8;

export interface VaultChange {
  dataBlob: string;
  iv: string;
  /** Recognizes a resent write. */
  digest: string;
  /** The version to replace, 0 for a new vault. */
  expectedVersion: number;
  /** The stored proof that the caller's proof matched. Undefined when the user had none. */
  proofId: string | undefined;
  /** A stored proof that is no longer valid. Its vault counts as absent, and a new vault replaces it. */
  formerProofId?: string | undefined;
  /** A new proof, stored with the vault. */
  proof?: StoredProof;
}

/** The result of a write: the stored version, or why nothing was written. */
export type WriteResult =
  | Pick<Vault, 'version' | 'updatedAtMs'>
  | { conflictsWith: number }
  | { outdatedProof: true };

export const vaultStore = {
  /** Reads a vault. Parts of different versions are never combined. */
  async read(userId: string): Promise<Vault | undefined> {
    for (let attempt = 0; attempt < maxReadAttempts; attempt += 1) {
      const head = await findVaultHead(userId);
      if (head === undefined) return undefined;
      const parts = await Promise.all(
        Array.from({ length: head.parts }, (_, i) => getItem(keys.vaultPart(userId, i + 1))),
      );
      const current = (parts as (Part | undefined)[]).filter((part) => part?.version === head.version);
      if (current.length < head.parts) continue;
      const { iv, version, updatedAtMs, proofId } = head;
      const dataBlob = unpackBlob(
        head,
        current.map((part) => part?.data ?? new Uint8Array()),
      );
      return { dataBlob, iv, version, updatedAtMs, proofId };
    }
    throw new Error('The vault was replaced during each of several attempts to read it');
  },

  /**
   * Replaces a vault in one transaction, on the condition that the stored version is the expected one. Of any
   * number of concurrent writes with the same expected version, one succeeds.
   *
   * @param passed resolves when the write is within its limits. It is awaited beside the read, before anything is written.
   */
  async write(
    userId: string,
    change: VaultChange,
    nowMs: number,
    passed: Promise<void>,
  ): Promise<WriteResult> {
    const { dataBlob, iv, digest, expectedVersion, proofId, formerProofId, proof } = change;
    const [found] = await Promise.all([findVaultHead(userId), passed]);
    const isFormer = found !== undefined && found.proofId === formerProofId;
    const stored = isFormer ? undefined : found;
    const storedVersion = stored?.version ?? 0;
    // A repeated write: the response to the first one was lost.
    if (stored && storedVersion === expectedVersion + 1 && stored.digest === digest) {
      return { version: storedVersion, updatedAtMs: stored.updatedAtMs };
    }
    // The password was changed after the caller's proof was checked. Later changes fail the condition on the version.
    if (proofId !== undefined && stored?.proofId !== proofId) return { outdatedProof: true };
    if (storedVersion !== expectedVersion) return { conflictsWith: storedVersion };

    const { head: blob, rest } = packBlob(dataBlob);
    const version = expectedVersion + 1;
    const newProofId = proof ? proofIdOf(proof) : proofId;
    if (newProofId === undefined) throw new Error('The first write of a vault requires a proof');
    const head: VaultHead = {
      ...keys.vault(userId),
      ...blob,
      iv,
      version,
      updatedAtMs: nowMs,
      digest,
      proofId: newProofId,
    };
    const parts: Part[] = rest.map((data, i) => ({ ...keys.vaultPart(userId, i + 1), version, data }));
    const obsoleteParts = Array.from({ length: Math.max(0, (found?.parts ?? 0) - rest.length) }, (_, i) =>
      keys.vaultPart(userId, rest.length + i + 1),
    );
    const written = await transactWrite([
      { Put: { Item: head, ...vaultAsRead(found) } },
      ...parts.map((Item): Write => ({ Put: { Item } })),
      ...obsoleteParts.map((Key): Write => ({ Delete: { Key } })),
      ...(proof ? [{ Put: { Item: { ...keys.proof(userId), ...proof }, ...proofIsAsRead(change) } }] : []),
    ]);
    if (written) return { version, updatedAtMs: nowMs };
    const current = await findVaultHead(userId);
    // The vault is unchanged, so the proof has changed: an operator has ended it.
    if (current?.version === found?.version && current?.proofId === found?.proofId)
      return { outdatedProof: true };
    // A concurrent write was faster. It may be the same write, sent twice.
    return this.write(userId, change, nowMs, passed);
  },
};

/** The condition that a proof is replaced by one who passed it, or by one who needed to pass none. */
function proofIsAsRead({ proofId, formerProofId }: VaultChange) {
  const replaced = proofId ?? formerProofId;
  if (replaced === undefined) return { ConditionExpression: notExists };
  return {
    ConditionExpression:
      proofId === undefined ? 'salt = :salt' : 'salt = :salt AND attribute_not_exists(endedAtMs)',
    ExpressionAttributeValues: { ':salt': Buffer.from(replaced, 'base64url') },
  };
}
