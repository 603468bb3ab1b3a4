/**
 * A caller who proves that he holds a trusted device of the user, and knows the master password.
 *
 * Checked in this order: limit, device (403), proof (401). The limit on wrong proofs is on the user from one
 * address, and on the user from everywhere: the second is ten times the first, so that a stranger at one
 * address cannot lock the owner out.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../contract/errors.ts';
import { keys } from '../contract/keys.ts';
import type { Limit, ProvenCaller } from '../contract/route.ts';
import { header, type RequestContext } from '../lambda/request-context.ts';
import { env } from '../runtime/env.ts';
import { randomSalt } from '../runtime/random.ts';
import { consume, peek, type Verdict } from '../table/rate-limit.ts';
import { getItem } from '../table/table.ts';
import { deploymentKey } from './deployment-key.ts';

const wrongFromAddress: Limit = { group: 'wrong-proof-address', max: 10, windowMs: 900_000 };
const wrongFromAnywhere: Limit = { group: 'wrong-proof', max: 100, windowMs: 3_600_000 };

/** What is kept of a proof: never the proof itself. */
export interface StoredProof {
  salt: Uint8Array;
  hash: Uint8Array;
}

/** Longer than any device id; a sort key holds no more than 1,024 bytes. */
const maxDeviceId = 256;

/**
 * Authenticates `x-device-id` and `x-auth-hash` for the `userId` of query or body. What it asks the table for, it
 * asks side by side.
 *
 * @throws ApiError `device_not_verified`, `proof_invalid`, `proof_locked`
 */
async function provenCaller(exchange: RequestContext): Promise<ProvenCaller> {
  return prove(exchange, userIdOf(exchange));
}

/** The same for a user that the caller has named in another way. */
export async function prove(exchange: RequestContext, userId: string): Promise<ProvenCaller> {
  const { event, rateLimitKey, startedAtMs: nowMs } = exchange;
  const deviceId = header(event, 'x-device-id') ?? '';
  const authHash = header(event, 'x-auth-hash') ?? '';
  const counts = [
    [wrongFromAddress, `${userId} ${rateLimitKey}`],
    [wrongFromAnywhere, userId],
  ] as const;
  const [trusted, proof, standings] = await Promise.all([
    isTrusted(userId, deviceId),
    getItem(keys.proof(userId)) as Promise<unknown>,
    Promise.all(counts.map(([limit, by]) => peek(limit, by, nowMs))),
  ]);
  if (!trusted) throw untrusted(deviceId);
  refuseLocked(standings);
  // What has not even the form of a proof is no guess: it is refused and not counted.
  if (!/^[0-9a-f]{64}$/.test(authHash)) throw new ApiError('proof_invalid');
  if (proof === undefined) return { userId, authHash, provenBy: undefined };
  const stored = proof as StoredProof;
  if (await matches(userId, authHash, stored)) return { userId, authHash, provenBy: proofId(stored) };
  // One after the other: what its own address is refused for must not count against everybody else.
  for (const [limit, by] of counts) refuseLocked([await consume(limit, by, nowMs)]);
  throw new ApiError('proof_invalid');
}

/** Asks for the same where the deployment says so, and for nothing otherwise. */
export async function managementCaller(exchange: RequestContext): Promise<ProvenCaller | undefined> {
  return env.deviceManagementProof() ? provenCaller(exchange) : undefined;
}

/** Names a stored proof: every one has a salt of its own. */
export function proofId({ salt }: StoredProof): string {
  return Buffer.from(salt).toString('base64url');
}

/** Tells the same write sent again from another; keyed, because the proof that holds after it is part of it. */
export async function writeDigest(...parts: string[]): Promise<string> {
  const key = await deploymentKey('writes');
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64');
}

/** What to keep of a proof, to compare others with. */
export async function keptProof(userId: string, authHash: string): Promise<StoredProof> {
  const salt = randomSalt();
  return { salt, hash: await hashOf(userId, authHash, salt) };
}

export function untrusted(deviceId: string): ApiError {
  return new ApiError('device_not_verified', { details: { deviceId, requiresMfa: true } });
}

export async function isTrusted(userId: string, deviceId: string): Promise<boolean> {
  if (deviceId === '' || deviceId.length > maxDeviceId) return false;
  return (await getItem(keys.trusted(userId, deviceId))) !== undefined;
}

/** Names the proof that holds; undefined when there is none to compare with. */
export async function proofInForce(userId: string): Promise<string | undefined> {
  const stored = (await getItem(keys.proof(userId))) as unknown as StoredProof | undefined;
  return stored && proofId(stored);
}

async function matches(userId: string, authHash: string, { salt, hash }: StoredProof): Promise<boolean> {
  return timingSafeEqual(await hashOf(userId, authHash, salt), hash);
}

/**
 * Keyed, so that the table alone gives nobody a proof to try passwords against; fast, because a proof has
 * been through PBKDF2 on the client and the lock bounds the guesses here.
 */
async function hashOf(userId: string, authHash: string, salt: Uint8Array): Promise<Buffer> {
  const key = await deploymentKey('proofs');
  return createHmac('sha256', key)
    .update(salt)
    .update(JSON.stringify([userId, authHash]))
    .digest();
}

function refuseLocked(verdicts: readonly Verdict[]): void {
  const waits = verdicts.filter((verdict) => !verdict.allowed).map((verdict) => verdict.retryAfterSeconds);
  if (waits.length > 0) throw new ApiError('proof_locked', { retryAfterSeconds: Math.max(...waits) });
}

function userIdOf({ input }: RequestContext): string {
  const named = { ...input?.query, ...input?.body } as { userId?: unknown };
  if (typeof named.userId !== 'string') throw new Error('The route names no user to prove');
  return named.userId;
}
