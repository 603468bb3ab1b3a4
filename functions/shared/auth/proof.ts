/**
 * Authentication by a trusted device of the user and a proof of the master password.
 *
 * Checked in this order: limit, device (403), proof (401). Wrong proofs for a user are limited per client
 * address and in total. The total is ten times higher, so that a stranger at one address cannot lock the
 * owner out.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../contract/errors.ts';
import { keys } from '../contract/keys.ts';
import type { Limit, ProvenCaller } from '../contract/route.ts';
import { header, type RequestContext } from '../lambda/request-context.ts';
import { hourMs, minuteMs } from '../runtime/duration.ts';
import { env } from '../runtime/env.ts';
import { randomSalt } from '../runtime/random.ts';
import { consume, peek, type Verdict } from '../table/rate-limit.ts';
import { getItem } from '../table/table.ts';
import { deploymentKey } from './deployment-key.ts';

const wrongFromAddress: Limit = { group: 'wrong-proof-address', max: 10, windowMs: 15 * minuteMs };
const wrongFromAnywhere: Limit = { group: 'wrong-proof', max: 100, windowMs: hourMs };

/** A salted and keyed hash of a proof. The proof itself is never stored. */
export interface StoredProof {
  salt: Uint8Array;
  hash: Uint8Array;
  /** Present when the request that set this proof presented another one. */
  setBy?: ProofChange;
}

/** The request that set a proof. A repeat of it presents a proof that is no longer valid. */
interface ProofChange {
  /** The hash of the proof that the request presented, with the salt of the new one. */
  presented: Uint8Array;
  /** Identifies the content of the request, the new proof included. */
  writeId: string;
}

/** Longer than any device id. A sort key is limited to 1,024 bytes. */
const maxDeviceId = 256;

/**
 * Authenticates `x-device-id` and `x-auth-hash` for the `userId` of query or body. The table is read
 * concurrently.
 *
 * @throws ApiError `device_not_verified`, `proof_invalid`, `proof_locked`
 */
async function provenCaller(context: RequestContext): Promise<ProvenCaller> {
  return authenticateProof(context, userIdOf(context));
}

/**
 * As {@link provenCaller}, for a user identified by other means.
 *
 * @param writeId identifies the content of a request that may set a proof. A repeat of the request that set the
 * current proof passes with the proof that it presented then: the response to the first one may have been lost.
 */
export async function authenticateProof(
  context: RequestContext,
  userId: string,
  writeId?: () => Promise<string>,
): Promise<ProvenCaller> {
  const { event, rateLimitKey, startedAtMs: nowMs } = context;
  const deviceId = header(event, 'x-device-id') ?? '';
  const authHash = header(event, 'x-auth-hash') ?? '';
  const counts = [
    [wrongFromAddress, `${userId} ${rateLimitKey}`],
    [wrongFromAnywhere, userId],
  ] as const;
  const [trusted, proof, verdicts] = await Promise.all([
    isTrusted(userId, deviceId),
    getItem(keys.proof(userId)) as Promise<unknown>,
    Promise.all(counts.map(([limit, key]) => peek(limit, key, nowMs))),
  ]);
  if (!trusted) throw deviceNotVerified(deviceId);
  refuseLocked(verdicts);
  // A malformed proof is not a guess: it is refused and not counted.
  if (!/^[0-9a-f]{64}$/.test(authHash)) throw new ApiError('proof_invalid');
  if (proof === undefined) return { userId, authHash, proofId: undefined };
  const stored = proof as StoredProof;
  const isCurrent = await matches(userId, authHash, stored);
  if (isCurrent || (await repeatsChange(userId, authHash, stored, writeId))) {
    return { userId, authHash, proofId: proofIdOf(stored) };
  }
  // In sequence: an attempt refused by the limit of its address must not count towards the total.
  for (const [limit, key] of counts) refuseLocked([await consume(limit, key, nowMs)]);
  throw new ApiError('proof_invalid');
}

/** Authenticates by proof where the deployment requires it. */
export async function managementCaller(context: RequestContext): Promise<ProvenCaller | undefined> {
  return env.deviceManagementProof() ? provenCaller(context) : undefined;
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
 * @param setBy the request that sets the proof, when it presents another one.
 */
export async function hashProof(
  userId: string,
  authHash: string,
  setBy?: { presented: string; writeId: string },
): Promise<StoredProof> {
  const salt = randomSalt();
  const hash = await keyedHash(userId, authHash, salt);
  if (setBy === undefined) return { salt, hash };
  const { presented, writeId } = setBy;
  return { salt, hash, setBy: { presented: await keyedHash(userId, presented, salt), writeId } };
}

/** The error for a device that is not trusted. Its details ask the client to verify the device. */
export function deviceNotVerified(deviceId: string): ApiError {
  return new ApiError('device_not_verified', { details: { deviceId, requiresMfa: true } });
}

/** Whether a device of the user is trusted, strongly consistent. */
export async function isTrusted(userId: string, deviceId: string): Promise<boolean> {
  if (deviceId === '' || deviceId.length > maxDeviceId || !deviceId.isWellFormed()) return false;
  return (await getItem(keys.trusted(userId, deviceId))) !== undefined;
}

/** The id of the user's current proof; undefined when there is none. */
export async function currentProofId(userId: string): Promise<string | undefined> {
  const stored = (await getItem(keys.proof(userId))) as unknown as StoredProof | undefined;
  return stored && proofIdOf(stored);
}

async function matches(userId: string, authHash: string, { salt, hash }: StoredProof): Promise<boolean> {
  return timingSafeEqual(await keyedHash(userId, authHash, salt), hash);
}

/**
 * Whether a request repeats the one that set the stored proof: it presents the same proof and has the same content.
 *
 * The content includes the stored proof, so a caller who knows only the earlier one does not pass. A guess of the
 * stored proof in the content counts as one wrong proof, like a guess in `x-auth-hash`. Both parts are always
 * computed: the duration does not reveal whether the presented proof is the earlier one.
 */
async function repeatsChange(
  userId: string,
  authHash: string,
  { salt, setBy }: StoredProof,
  writeId: (() => Promise<string>) | undefined,
): Promise<boolean> {
  if (setBy === undefined || writeId === undefined) return false;
  const [presented, id] = await Promise.all([keyedHash(userId, authHash, salt), writeId()]);
  const isSameProof = timingSafeEqual(presented, setBy.presented);
  return isSameProof && id === setBy.writeId;
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

function refuseLocked(verdicts: readonly Verdict[]): void {
  const delays = verdicts.filter((verdict) => !verdict.allowed).map((verdict) => verdict.retryAfterSeconds);
  if (delays.length > 0) throw new ApiError('proof_locked', { retryAfterSeconds: Math.max(...delays) });
}

function userIdOf({ input }: RequestContext): string {
  const { userId } = { ...input?.query, ...input?.body } as { userId?: unknown };
  if (typeof userId !== 'string') throw new Error('The route declares no userId');
  return userId;
}
