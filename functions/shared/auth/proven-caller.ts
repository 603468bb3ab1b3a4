/**
 * Authentication by a trusted device of the user and a proof of the master password.
 *
 * Checked in this order: limit, device (403), proof (401). Wrong proofs are limited. Callers who are known by their
 * device have a limit of their own, so that strangers lock out only strangers.
 */

import { createHash } from 'node:crypto';
import {
  confirmProof,
  findProof,
  isProofInEffect,
  proofIdOf,
  type StoredProof,
} from '../accounts/stored-proof.ts';
import { getUser, type User } from '../accounts/users.ts';
import type { ProvenCaller } from '../contract/callers.ts';
import type { PresentedDeviceProof, TrustedDevice } from '../contract/device-proof.ts';
import { ApiError } from '../contract/errors.ts';
import type { Limit } from '../contract/route.ts';
import { type RequestContext, singleHeader } from '../lambda/request-context.ts';
import { hourMs, minuteMs } from '../runtime/clock.ts';
import * as env from '../runtime/env.ts';
import { recordProblem } from '../runtime/log.ts';
import { consume, peek } from '../table/rate-limit.ts';
import type { Verdict } from '../table/sliding-window.ts';
import {
  checkDeviceProof,
  deviceNotVerified,
  presentedDeviceProof,
  refuseUnusableProof,
} from './device-proof.ts';
import { isFirstUse } from './dpop-store.ts';
import { matchesProof, repeatsChange } from './proof.ts';
import { findTrustedDevice, hasProvedFrom, isTrustInEffect, recordAuthentication } from './trusted-device.ts';

const wrongFromAddress: Limit = { group: 'wrong-proof-address', max: 10, windowMs: 15 * minuteMs };
const wrongFromAnywhere: Limit = { group: 'wrong-proof', max: 100, windowMs: hourMs };
const wrongFromKnownCaller: Limit = { group: 'wrong-proof-known', max: 10, windowMs: 15 * minuteMs };

export interface AuthenticatedDevice {
  deviceId: string;
  device: TrustedDevice;
  presented: PresentedDeviceProof;
  user: User | undefined;
}

/**
 * Authenticates `x-device-id`, with the proof of the device, for a user. The table is read concurrently with `others`.
 *
 * @throws ApiError `device_not_verified`
 */
export async function authenticateDevice<T>(
  context: RequestContext,
  userId: string,
  others: (deviceId: string) => Promise<T>,
): Promise<AuthenticatedDevice & { others: T }> {
  const { event, startedAtMs: nowMs } = context;
  const deviceId = singleHeader(event, 'x-device-id') ?? '';
  const presented = await presentedDeviceProof(context);
  // Before the table is read: the response must not tell whether the device is trusted.
  refuseUnusableProof(deviceId, presented, nowMs);
  const [device, user, isUnused, more] = await Promise.all([
    findTrustedDevice(userId, deviceId),
    getUser(userId),
    isFirstUse(presented, nowMs),
    others(deviceId),
  ]);
  if (!isTrustInEffect(device, user)) throw deviceNotVerified(deviceId);
  checkDeviceProof(deviceId, device, presented, { isUnused, nowMs });
  return { deviceId, device, presented, user, others: more };
}

/**
 * Authenticates device and proof for a user who is identified by other means.
 *
 * A proof that was set under a former security stamp is valid where it matches. Where it does not match, the user counts
 * as one without a proof, so that the owner of the account can set theirs; the attempt counts as wrong.
 *
 * @param writeId identifies the content of a request that may set a proof. A repeat of the request that set the
 * current proof passes with the proof that it presented then: the response to the first one may have been lost.
 * @throws ApiError `device_not_verified`, `proof_invalid`, `proof_locked`
 */
export async function authenticateProof(
  context: RequestContext,
  userId: string,
  writeId?: () => Promise<string>,
): Promise<ProvenCaller> {
  const { event, rateLimitKey, startedAtMs: nowMs } = context;
  const authHash = singleHeader(event, 'x-auth-hash') ?? '';
  const counters = (deviceId: string) => ({
    strangers: [
      [wrongFromAddress, `${userId} ${rateLimitKey}`],
      [wrongFromAnywhere, userId],
    ] as const,
    known: [[wrongFromKnownCaller, knownCallerKey(userId, deviceId, rateLimitKey)]] as const,
  });
  const peekAll = (counts: readonly (readonly [Limit, string])[]) =>
    Promise.all(counts.map(([limit, key]) => peek(limit, key, nowMs)));
  const { deviceId, device, presented, user, others } = await authenticateDevice(
    context,
    userId,
    async (id) => {
      const { strangers, known } = counters(id);
      const [proof, ofStrangers, ofKnown] = await Promise.all([
        findProof(userId),
        peekAll(strangers),
        peekAll(known),
      ]);
      return { proof, ofStrangers, ofKnown };
    },
  );
  const { proof, ofStrangers, ofKnown } = others;
  const isKnown = presented.kind !== 'none' || hasProvedFrom(device, rateLimitKey, nowMs);
  const counts = isKnown ? counters(deviceId).known : counters(deviceId).strangers;
  refuseLocked(isKnown ? ofKnown : ofStrangers);
  // A malformed proof is not a guess: it is refused and not counted.
  if (!/^[0-9a-f]{64}$/.test(authHash)) throw new ApiError('proof_invalid');
  const { securityStamp } = user ?? {};
  const caller = { userId, deviceId, device, presented, nowMs };
  if (proof === undefined) {
    refuseSuspended(user);
    recordCaller(context, { ...caller, address: undefined });
    return { userId, authHash, proofId: undefined, securityStamp };
  }
  const former = isProofInEffect(proof, user) ? undefined : { proof, user };
  const withoutProof = {
    userId,
    authHash,
    proofId: undefined,
    formerProofId: proofIdOf(proof),
    securityStamp,
  };
  if (proof.endedAtMs !== undefined) {
    refuseSuspended(user);
    recordCaller(context, { ...caller, address: undefined });
    return withoutProof;
  }
  const isCurrent = await matchesProof(userId, authHash, proof);
  if (isCurrent || (await repeatsChange(userId, authHash, proof, writeId))) {
    refuseSuspended(user);
    recordCaller(context, { ...caller, address: rateLimitKey }, former);
    return { userId, authHash, proofId: proofIdOf(proof), securityStamp };
  }
  // In sequence: an attempt refused by the limit of its address must not count towards the total.
  for (const [limit, key] of counts) refuseLocked([await consume(limit, key, nowMs)]);
  if (former === undefined) throw new ApiError('proof_invalid');
  refuseSuspended(user);
  recordCaller(context, { ...caller, address: undefined });
  return withoutProof;
}

/**
 * Authenticates by device and proof, for the `userId` of query or body, where the deployment requires it.
 *
 * @throws as {@link authenticateProof}
 */
export async function managementCaller(context: RequestContext): Promise<ProvenCaller | undefined> {
  return env.deviceManagementProof() ? authenticateProof(context, userIdOf(context)) : undefined;
}

/** Hashed, because a device id from outside can be longer than a key. */
function knownCallerKey(...parts: [userId: string, deviceId: string, address: string]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/** A suspended user gets the response of an expired session. @throws ApiError `proof_invalid` */
function refuseSuspended(user: User | undefined): void {
  if (user?.status === 'suspended') throw new ApiError('proof_invalid');
}

/** Records an authentication beside the handler. A failure costs the caller nothing but the record. */
export function recordCaller(
  context: RequestContext,
  caller: Parameters<typeof recordAuthentication>[3] & {
    userId: string;
    deviceId: string;
    device: TrustedDevice;
  },
  former?: { proof: StoredProof; user: User | undefined },
): void {
  const { userId, deviceId, device } = caller;
  const confirmation = former && confirmProof(userId, former.proof, former.user ?? {});
  context.beforeResponse = Promise.all([
    recordAuthentication(userId, deviceId, device, caller),
    confirmation,
  ]).then(
    () => undefined,
    (cause: unknown) => recordProblem('an authentication was not recorded', cause),
  );
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
