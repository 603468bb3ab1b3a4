/** The stored proof of the master password: a salted and keyed hash of `x-auth-hash`. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { hasCurrentStamp, type User } from '../accounts/users.ts';
import { defined } from '../contract/defined.ts';
import { keys } from '../contract/keys.ts';
import { randomSalt } from '../runtime/random.ts';
import { getItem, updateItem } from '../table/table.ts';
import { deploymentKey } from './deployment-key.ts';

/** A salted and keyed hash of a proof. The proof itself is never stored. */
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

/** The stored proof of a user, strongly consistent. */
export async function findProof(userId: string): Promise<StoredProof | undefined> {
  return (await getItem(keys.proof(userId))) as unknown as StoredProof | undefined;
}

/**
 * Whether a proof is valid for the present owner of the account. A proof of a former owner, or of the time before an
 * address changed, is not: who does not know it can set another one.
 */
export function isProofInEffect(proof: StoredProof, user: User | undefined): boolean {
  return proof.endedAtMs === undefined && hasCurrentStamp(user, proof);
}

/** Identifies a stored proof by its unique salt. */
export function proofIdOf({ salt }: StoredProof): string {
  return Buffer.from(salt).toString('base64url');
}

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
  const salt = randomSalt();
  const hash = await keyedHash(userId, authHash, salt);
  const change = setBy && {
    presented: await keyedHash(userId, setBy.presented, salt),
    writeId: setBy.writeId,
  };
  return { salt, hash, ...defined({ setBy: change, securityStamp }) };
}

/** Whether a text is the proof that is stored. In constant time. */
export async function matchesProof(
  userId: string,
  authHash: string,
  { salt, hash, endedAtMs }: StoredProof,
): Promise<boolean> {
  const isEqual = timingSafeEqual(await keyedHash(userId, authHash, salt), hash);
  return isEqual && endedAtMs === undefined;
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
  { salt, setBy, endedAtMs }: StoredProof,
  writeId: (() => Promise<string>) | undefined,
): Promise<boolean> {
  if (setBy === undefined || writeId === undefined || endedAtMs !== undefined) return false;
  const [presented, id] = await Promise.all([keyedHash(userId, authHash, salt), writeId()]);
  const isSameProof = timingSafeEqual(presented, setBy.presented);
  return isSameProof && id === setBy.writeId;
}

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

/**
 * A keyed hash, so that a copy of the table does not allow offline guessing of passwords. A fast hash is
 * enough: the client has already applied PBKDF2, and the lock limits online guesses.
 */
async function keyedHash(userId: string, authHash: string, salt: Uint8Array): Promise<Buffer> {
  const key = await deploymentKey('proofs');
  return createHmac('sha256', key)
    .update(salt)
    .update(JSON.stringify([userId, authHash]))
    .digest();
}
