/** Compares the proof of the master password with the stored one. Pure: `proof.ts` gives the key of the deployment. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { StoredProof } from '../accounts/stored-proof.ts';

/**
 * A keyed hash, so that a copy of the table does not allow offline guessing of passwords. A fast hash is
 * enough: the client has already applied PBKDF2, and the lock limits online guesses.
 */
export function keyedHash(key: Uint8Array, userId: string, authHash: string, salt: Uint8Array): Buffer {
  return createHmac('sha256', key)
    .update(salt)
    .update(JSON.stringify([userId, authHash]))
    .digest();
}

/** Whether a text is the proof that is stored, and the proof has not ended. In constant time. */
export function isStoredProof(
  key: Uint8Array,
  { userId, authHash }: { userId: string; authHash: string },
  { salt, hash, endedAtMs }: StoredProof,
): boolean {
  const isEqual = timingSafeEqual(keyedHash(key, userId, authHash, salt), hash);
  return isEqual && endedAtMs === undefined;
}

/** Whether a request is the one that set the stored proof, by the proof that it presents and by the id of its content. */
export function isChangeOf(
  key: Uint8Array,
  { userId, authHash, writeId }: { userId: string; authHash: string; writeId: string },
  { salt, setBy, endedAtMs }: StoredProof,
): boolean {
  if (setBy === undefined || endedAtMs !== undefined) return false;
  const isSameProof = timingSafeEqual(keyedHash(key, userId, authHash, salt), setBy.presented);
  return isSameProof && writeId === setBy.writeId;
}
