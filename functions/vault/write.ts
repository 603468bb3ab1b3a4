import { hashProof, writeDigest } from '../shared/auth/proof.ts';
import { defined } from '../shared/contract/defined.ts';
import { startByteCount } from '../shared/lambda/byte-limit-check.ts';
import { clientKey } from '../shared/lambda/client-key.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock, isoTime } from '../shared/runtime/clock.ts';
import { authenticateVaultWriter } from './authenticate.ts';
import { vaultByteLimit, writeRoute } from './routes.ts';
import { vaultStore } from './store.ts';
import { writeIdOf } from './write-id.ts';

/** Replaces the vault, and its proof when a new one is sent. */
export const writeVault: Handler<typeof writeRoute> = async ({
  body,
  caller: { userId, authHash, proofId, formerProofId, securityStamp },
  remote,
}) => {
  const { data_blob: dataBlob, iv, version: expectedVersion, new_auth_hash: newAuthHash } = body;
  // Without a stored proof nothing was compared: such a caller can create a vault but not replace one.
  if (proofId === undefined && expectedVersion !== 0) {
    throw new ApiError('vault_conflict', { details: { version: 0 } });
  }
  // A token that opens a vault for an hour must not be able to lock its owner out permanently.
  if (authHash === undefined && proofId !== undefined && newAuthHash !== undefined) {
    throw invalidProof('takes x-auth-hash as well: a token alone replaces no proof');
  }
  // A vault without a proof could only be opened by token.
  if (authHash === undefined && proofId === undefined && newAuthHash === undefined) {
    throw invalidProof('is required for a new vault without x-auth-hash');
  }
  const newProof = newAuthHash ?? (proofId === undefined ? authHash : undefined);
  const setBy =
    authHash !== undefined && newAuthHash !== undefined
      ? { presented: authHash, writeId: await writeIdOf(body) }
      : undefined;
  const proof =
    newProof === undefined ? undefined : await hashProof(userId, newProof, { setBy, securityStamp });
  const digest = await writeDigest(dataBlob, iv, newAuthHash ?? authHash ?? '');
  const change = { dataBlob, iv, digest, expectedVersion, proofId, formerProofId };
  const nowMs = clock.nowMs();
  const passed = countCiphertext(dataBlob.length, userId, clientKey(remote.address), nowMs);
  const result = await vaultStore.write(userId, { ...change, ...defined({ proof }) }, nowMs, passed);
  if ('outdatedProof' in result) throw new ApiError('proof_invalid');
  if ('conflictsWith' in result) {
    throw new ApiError('vault_conflict', { details: { version: result.conflictsWith } });
  }
  return { success: true, version: result.version, updated_at: isoTime(result.updatedAtMs) };
};

/**
 * Counts the ciphertext of a write for its address and its user. Only authenticated writes count, so that nobody else can use
 * up what the user may store.
 *
 * @throws ApiError `vault_limited`
 */
async function countCiphertext(bytes: number, userId: string, address: string, nowMs: number): Promise<void> {
  const counts = [`address ${address}`, `user ${userId}`].map((counted) =>
    startByteCount(vaultByteLimit, counted, nowMs, 'vault_limited'),
  );
  await Promise.all(counts.map((count) => count.add(bytes)));
}

const invalidProof = (problem: string) =>
  new ApiError('vault_invalid', { details: { new_auth_hash: problem } });

export const handler = endpoint(writeRoute, writeVault, authenticateVaultWriter);
