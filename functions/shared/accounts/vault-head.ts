/** The head of a vault: the vault service writes it, and a reset by an operator removes it. */

import * as keys from '../contract/keys.ts';
import type { BlobHead } from '../table/blob.ts';
import { getRecord, recordReader } from '../table/record.ts';
import { type Condition, type Item, notExists } from '../table/table.ts';

/** The first part of the ciphertext, and all small attributes. */
export interface VaultHead extends Item, BlobHead {
  iv: string;
  version: number;
  updatedAtMs: number;
  /** Recognizes a resent write. */
  digest: string;
  /** The id of the proof that is current since this version. */
  proofId: string;
}

const readVaultHead = recordReader<VaultHead>(['version', 'proofId']);

export async function findVaultHead(userId: string): Promise<VaultHead | undefined> {
  return getRecord(keys.vault(userId), readVaultHead);
}

/**
 * The condition that a vault is as it was read. Versions of a vault start again when it replaces that of a former proof,
 * so the proof is compared as well.
 */
export function vaultAsRead(head: VaultHead | undefined): Condition {
  if (head === undefined) return { ConditionExpression: notExists };
  return {
    ConditionExpression: '#version = :version AND proofId = :proofId',
    ExpressionAttributeValues: { ':version': head.version, ':proofId': head.proofId },
  };
}
