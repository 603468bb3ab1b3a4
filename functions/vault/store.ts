import { proofId, type StoredProof } from '../shared/auth/proof.ts';
import { keys, tableSchema } from '../shared/contract/keys.ts';
import { type BlobHead, packBlob, unpackBlob } from '../shared/table/blob.ts';
import { getItem, type Item, transactWrite, type Write } from '../shared/table/table.ts';
import type { Vault } from './vault.ts';

/** The item that makes a vault exist: its first piece of ciphertext and all that is small. */
interface Head extends Item, BlobHead {
  iv: string;
  version: number;
  updatedAtMs: number;
  /** Tells the same write sent again from another. */
  digest: string;
  /** Names the proof that holds since this version was written. */
  provenBy: string;
}

/** A further piece of the vault's ciphertext; the same slots are written again by the next version. */
interface Part extends Item {
  version: number;
  data: Uint8Array;
}

/** A reader who met a writer starts again; to meet one so many times in a row takes a writer who never stops. */
const readTries = 8;

export interface VaultChange {
  dataBlob: string;
  iv: string;
  /** Tells the same write sent again from another. */
  digest: string;
  /** The version that this is to replace; 0 for none. */
  replaces: number;
  /** Names the proof that the caller gave; undefined where there was none to compare with. */
  provenBy: string | undefined;
  /** Stored with it, when the proof is new. */
  proof?: StoredProof;
}

/** What came of a write: `version` is the one that is there now. */
export type Written =
  | Pick<Vault, 'version' | 'updatedAtMs'>
  | { conflictsWith: number }
  | { outdatedProof: true };

/** Vaults in the table. */
export const vaultStore = {
  /** The vault of one version: pieces of two are never put together. */
  async read(userId: string): Promise<Vault | undefined> {
    for (let attempt = 0; attempt < readTries; attempt += 1) {
      const head = await headOf(userId);
      if (head === undefined) return undefined;
      const parts = await Promise.all(
        Array.from({ length: head.parts }, (_, i) => getItem(keys.vaultPart(userId, i + 1))),
      );
      const pieces = (parts as (Part | undefined)[]).filter((part) => part?.version === head.version);
      if (pieces.length < head.parts) continue;
      const { iv, version, updatedAtMs, provenBy } = head;
      const dataBlob = unpackBlob(
        head,
        pieces.map((part) => part?.data ?? new Uint8Array()),
      );
      return { dataBlob, iv, version, updatedAtMs, provenBy };
    }
    throw new Error('The vault was replaced at each of several attempts to read it');
  },

  /**
   * Replaces a vault in one transaction, under the condition that the version to replace is the one that is
   * there. Of any number of writes that replace the same version one is carried out.
   */
  async write(userId: string, change: VaultChange, nowMs: number): Promise<Written> {
    const { dataBlob, iv, digest, replaces, provenBy, proof } = change;
    const found = await headOf(userId);
    const there = found?.version ?? 0;
    // The answer of the first was lost on its way, so the client sends it again.
    if (found && there === replaces + 1 && found.digest === digest) {
      return { version: there, updatedAtMs: found.updatedAtMs };
    }
    // The password was changed since the caller's was checked. The condition on the version covers the rest of the way.
    if (provenBy !== undefined && found?.provenBy !== provenBy) return { outdatedProof: true };
    if (there !== replaces) return { conflictsWith: there };

    const { head: blob, rest } = packBlob(dataBlob);
    const version = replaces + 1;
    const holds = proof ? proofId(proof) : provenBy;
    if (holds === undefined) throw new Error('A first write brings its proof');
    const head: Head = {
      ...keys.vault(userId),
      ...blob,
      iv,
      version,
      updatedAtMs: nowMs,
      digest,
      provenBy: holds,
    };
    const parts: Part[] = rest.map((data, i) => ({ ...keys.vaultPart(userId, i + 1), version, data }));
    const left = Array.from({ length: Math.max(0, (found?.parts ?? 0) - rest.length) }, (_, i) =>
      keys.vaultPart(userId, rest.length + i + 1),
    );
    const done = await transactWrite([
      { Put: { Item: head, ...replacing(replaces) } },
      ...parts.map((Item): Write => ({ Put: { Item } })),
      ...left.map((Key): Write => ({ Delete: { Key } })),
      ...(proof ? [{ Put: { Item: { ...keys.proof(userId), ...proof } } }] : []),
    ]);
    if (done) return { version, updatedAtMs: nowMs };
    // Somebody was faster; perhaps this very write, sent twice at once.
    return this.write(userId, change, nowMs);
  },
};

async function headOf(userId: string): Promise<Head | undefined> {
  return (await getItem(keys.vault(userId))) as Head | undefined;
}

function replacing(version: number) {
  return version === 0
    ? { ConditionExpression: `attribute_not_exists(${tableSchema.partitionKey})` }
    : {
        ConditionExpression: '#version = :replaced',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':replaced': version },
      };
}
