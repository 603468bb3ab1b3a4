import type * as z from 'zod/mini';
import { findProof, proofIdOf } from '../shared/accounts/stored-proof.ts';
import { bearerToken } from '../shared/auth/bearer.ts';
import { deviceNotVerified } from '../shared/auth/device-proof.ts';
import { isTokenValidFor } from '../shared/auth/grants/token-ends.ts';
import { isValidForCachedApplication } from '../shared/auth/grants/token-validity.ts';
import { authenticateDevice, authenticateProof, recordCaller } from '../shared/auth/proven-caller.ts';
import { findSecret } from '../shared/auth/secrets.ts';
import type { ProvenCaller } from '../shared/contract/callers.ts';
import { ApiError } from '../shared/contract/errors.ts';
import { header, isRepeated, type RequestContext, singleHeader } from '../shared/lambda/request-context.ts';
import type { VaultWrite } from './vault.ts';
import { writeIdOf } from './write-id.ts';

const vaultScope = 'vault';

/**
 * Authenticates a caller of the vault: by trusted device and proof, or by trusted device and an access token with the
 * scope `vault`. The token identifies the user and replaces the proof. A proof sent with a token is checked as well.
 *
 * Checked in this order: rate limit, device (403), proof or token (401). A token without the scope gets the response
 * for an expired token, because 403 would make the client verify its device again.
 *
 * @throws ApiError `device_not_verified`, `proof_invalid`, `proof_locked`; `vault_invalid` without a `userId`, or with
 *   a `userId` that is not the token's
 */
export async function authenticateVaultCaller(context: RequestContext): Promise<ProvenCaller> {
  return authenticate(context);
}

/**
 * As {@link authenticateVaultCaller}, for a write. A repeated change of the master password presents the former proof,
 * and passes when its content is that of the accepted change.
 */
export async function authenticateVaultWriter(context: RequestContext): Promise<ProvenCaller> {
  return authenticate(context, () => writeIdOf(context.input?.body as z.output<typeof VaultWrite>));
}

async function authenticate(context: RequestContext, writeId?: () => Promise<string>): Promise<ProvenCaller> {
  const { event, input, startedAtMs } = context;
  const { userId } = { ...input?.query, ...input?.body } as { userId?: string };
  if (isRepeated(event, 'authorization')) throw new ApiError('proof_invalid');
  const token = bearerToken(event);
  if (token === undefined) {
    if (userId === undefined) throw invalidUser('is required');
    return authenticateProof(context, userId, writeId);
  }
  if ((singleHeader(event, 'x-device-id') ?? '') === '') throw deviceNotVerified('');
  const accessToken = await findSecret('access_token', token, startedAtMs);
  const owner = accessToken?.scopes?.includes(vaultScope) ? accessToken.userId : undefined;
  if (accessToken === undefined || owner === undefined) throw new ApiError('proof_invalid');
  if (userId !== undefined && userId !== owner) throw invalidUser('is not the user of the token');
  if (header(event, 'x-auth-hash') !== undefined) return authenticateProof(context, owner, writeId);
  const { user, others, ...device } = await authenticateDevice(context, owner, () =>
    Promise.all([findProof(owner), isValidForCachedApplication(accessToken, startedAtMs)]),
  );
  const [proof, isValidForApplication] = others;
  if (!isTokenValidFor(accessToken, user) || !isValidForApplication) throw new ApiError('proof_invalid');
  recordCaller(context, { ...device, userId: owner, address: undefined, nowMs: startedAtMs });
  const proofId = proof && proof.endedAtMs === undefined ? proofIdOf(proof) : undefined;
  return { userId: owner, proofId, securityStamp: user?.securityStamp };
}

function invalidUser(problem: string): ApiError {
  return new ApiError('vault_invalid', { details: { userId: problem } });
}
