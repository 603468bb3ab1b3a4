/**
 * The stored proof of the master password: what its record says, without the key of the deployment that its hash takes. An
 * operator's function ends a proof and never compares one.
 */

import * as keys from '../contract/keys.ts';
import { getRecord, recordReader } from '../table/record.ts';
import { updateItem } from '../table/table.ts';
import { hasCurrentStamp } from './security-stamp.ts';
import type { User } from './users.ts';

/** A salted and keyed hash. The proof itself is never stored. */
export interface StoredProof {
  salt: Uint8Array;
  hash: Uint8Array;
  /** Present when the request that set this proof presented another one. */
  setBy?: ProofChange;
  /** The user's security stamp when the proof was set or last confirmed. */
  securityStamp?: string;
  /** When an operator ended the proof, epoch milliseconds. It matches no request any more. */
  endedAtMs?: number;
}

/** The request that set a proof. A repeat of it presents a proof that is no longer valid. */
interface ProofChange {
  /** The hash of the proof that the request presented, with the salt of the new one. */
  presented: Uint8Array;
  /** Identifies the content of the request, the new proof included. */
  writeId: string;
}

const readProof = recordReader<StoredProof>(['salt', 'hash']);

export async function findProof(userId: string): Promise<StoredProof | undefined> {
  return getRecord(keys.proof(userId), readProof);
}

/**
 * Whether a proof is valid for the present owner of the account. A proof of a former owner, or of the time before an
 * address changed, is not: who does not know it can set another one.
 */
export function isProofInEffect(proof: StoredProof, user: User | undefined): boolean {
  return proof.endedAtMs === undefined && hasCurrentStamp(user, proof);
}

/** Identifies a stored proof by its unique salt. */
export const proofIdOf = ({ salt }: StoredProof): string => Buffer.from(salt).toString('base64url');

/** The condition that the stored proof is the one that was read, under the same security stamp. */
export function proofAsRead({ salt, securityStamp }: StoredProof) {
  return securityStamp === undefined
    ? {
        ConditionExpression: 'salt = :salt AND attribute_not_exists(securityStamp)',
        ExpressionAttributeValues: { ':salt': salt },
      }
    : {
        ConditionExpression: 'salt = :salt AND securityStamp = :former',
        ExpressionAttributeValues: { ':salt': salt, ':former': securityStamp },
      };
}

/**
 * Confirms a former proof that was matched on a device verified since: it is valid under the user's present stamp, so
 * that any other proof is refused again.
 */
export async function confirmProof(
  userId: string,
  proof: StoredProof,
  { securityStamp }: Pick<User, 'securityStamp'>,
): Promise<void> {
  if (securityStamp === undefined) return;
  const { ConditionExpression, ExpressionAttributeValues } = proofAsRead(proof);
  await updateItem(
    keys.proof(userId),
    {
      UpdateExpression: 'SET securityStamp = :stamp',
      ConditionExpression: `attribute_not_exists(endedAtMs) AND ${ConditionExpression}`,
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':stamp': securityStamp },
      guard: { once: 'securityStamp' },
    },
    'NONE',
  );
}
