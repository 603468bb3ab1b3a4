import { bearerToken } from '../shared/auth/bearer.ts';
import { isTrusted, proofInForce, prove, untrusted } from '../shared/auth/proof.ts';
import { findSecret } from '../shared/auth/secrets.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { ProvenCaller } from '../shared/contract/route.ts';
import type { SecretRecord } from '../shared/contract/secret.ts';
import { header, type RequestContext } from '../shared/lambda/request-context.ts';

const vaultScope = 'vault';

/**
 * Authenticates who opens a vault: by trusted device and proof, or by trusted device and an access token with the
 * scope `vault`, which names the user and stands in for the proof. A proof that comes with a token is checked too.
 *
 * Checked in this order: the limit, the device (403), proof or token (401). A token without the scope is answered like
 * one that has run out: 403 stands for the device here, and would send the client to verify that again.
 *
 * @throws ApiError `device_not_verified`, `proof_invalid`, `proof_locked`, `vault_invalid` when no user is named, or
 * another than the token's
 */
export async function vaultCaller(exchange: RequestContext): Promise<ProvenCaller> {
  const { event, input, startedAtMs } = exchange;
  const { userId } = { ...input?.query, ...input?.body } as { userId?: string };
  const token = bearerToken(event);
  if (token === undefined) {
    if (userId === undefined) throw invalidUser('is required');
    return prove(exchange, userId);
  }
  const deviceId = header(event, 'x-device-id') ?? '';
  if (deviceId === '') throw untrusted(deviceId);
  const owner = ownerOf(await findSecret('access_token', token, startedAtMs));
  if (userId !== undefined && userId !== owner) throw invalidUser('is not the user of the token');
  if (header(event, 'x-auth-hash') !== undefined) return prove(exchange, owner);
  const [trusted, provenBy] = await Promise.all([isTrusted(owner, deviceId), proofInForce(owner)]);
  if (!trusted) throw untrusted(deviceId);
  return { userId: owner, provenBy };
}

function ownerOf(token: SecretRecord | undefined): string {
  const owner = token?.scopes?.includes(vaultScope) ? token.userId : undefined;
  if (owner === undefined) throw new ApiError('proof_invalid');
  return owner;
}

function invalidUser(what: string): ApiError {
  return new ApiError('vault_invalid', { details: { userId: what } });
}
