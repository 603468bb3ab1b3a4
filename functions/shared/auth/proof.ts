/** Hashes and compares the proof of the master password, `x-auth-hash`. */
import { createHmac } from 'node:crypto';
import type { StoredProof } from '../accounts/stored-proof.ts';
import { defined } from '../contract/defined.ts';
import { randomSalt } from '../runtime/random.ts';
import { deploymentKey } from './deployment-key.ts';
import { isChangeOf, isStoredProof, keyedHash } from './proof-comparison.ts';

/**
 * A digest that identifies a write, so that a resent one is recognized. It is keyed, because one of its parts is
 * the proof that is valid after the write.
 */
export async function writeDigest(...parts: (string | number)[]): Promise<string> {
  const key = await deploymentKey('writes');
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64');
}

/**
 * Hashes a proof for storage, with a new salt.
 *
 * @param options.setBy the request that sets the proof, when it presents another one.
 * @param options.securityStamp the user's stamp when the caller was authenticated.
 */
export async function hashProof(
  userId: string,
  authHash: string,
  options: {
    setBy?: { presented: string; writeId: string } | undefined;
    securityStamp?: string | undefined;
  } = {},
): Promise<StoredProof> {
  const { setBy, securityStamp } = options;
  const key = await deploymentKey('proofs');
  const salt = randomSalt();
  const hash = keyedHash(key, userId, authHash, salt);
  const change = setBy && {
    presented: keyedHash(key, userId, setBy.presented, salt),
    writeId: setBy.writeId,
  };
  return { salt, hash, ...defined({ setBy: change, securityStamp }) };
}

export async function matchesProof(userId: string, authHash: string, stored: StoredProof): Promise<boolean> {
  return isStoredProof(await deploymentKey('proofs'), { userId, authHash }, stored);
}

/**
 * Whether a request repeats the one that set the stored proof: it presents the same proof and has the same content.
 *
 * The content includes the stored proof, so a caller who knows only the earlier one does not pass. A guess of the
 * stored proof in the content counts as one wrong proof, like a guess in `x-auth-hash`. Both parts are always
 * computed: the duration does not reveal whether the presented proof is the earlier one.
 */
export async function repeatsChange(
  userId: string,
  authHash: string,
  stored: StoredProof,
  writeId: (() => Promise<string>) | undefined,
): Promise<boolean> {
  if (stored.setBy === undefined || writeId === undefined) return false;
  const [key, id] = await Promise.all([deploymentKey('proofs'), writeId()]);
  return isChangeOf(key, { userId, authHash, writeId: id }, stored);
}
