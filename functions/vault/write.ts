import { keptProof, writeDigest } from '../shared/auth/proof.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { isoTime, nowMs } from '../shared/runtime/clock.ts';
import { routes } from './routes.ts';
import { vaultStore } from './store.ts';
import { vaultCaller } from './vault-caller.ts';

const writeDeps = () => ({ vaults: vaultStore, keptProof, nowMs });

/** Replaces the vault, and with it the proof when that is new. */
export async function writeVault(
  { body, caller: { userId, authHash, provenBy } }: Input<typeof routes.write>,
  { vaults, keptProof, nowMs }: ReturnType<typeof writeDeps>,
): Promise<Output<typeof routes.write>> {
  const { data_blob: dataBlob, iv, version: replaces, new_auth_hash: newAuthHash } = body;
  // Nothing was compared yet: such a caller may make a vault, and replace none.
  if (provenBy === undefined && replaces !== 0)
    throw new ApiError('vault_conflict', { details: { version: 0 } });
  // Whoever may open a vault by token for an hour must not lock its owner out for good.
  if (authHash === undefined && provenBy !== undefined && newAuthHash !== undefined) {
    throw invalidProof('takes x-auth-hash as well: a token alone replaces no proof');
  }
  // And a vault without a proof could never be opened but by token.
  if (authHash === undefined && provenBy === undefined && newAuthHash === undefined) {
    throw invalidProof('is required for a new vault without x-auth-hash');
  }
  const newProof = newAuthHash ?? (provenBy === undefined ? authHash : undefined);
  const proof = newProof && (await keptProof(userId, newProof));
  const digest = await writeDigest(dataBlob, iv, newAuthHash ?? authHash ?? '');
  const change = { dataBlob, iv, digest, replaces, provenBy, ...(proof && { proof }) };
  const written = await vaults.write(userId, change, nowMs());
  if ('outdatedProof' in written) throw new ApiError('proof_invalid');
  if ('conflictsWith' in written) {
    throw new ApiError('vault_conflict', { details: { version: written.conflictsWith } });
  }
  return { success: true, version: written.version, updated_at: isoTime(written.updatedAtMs) };
}

const invalidProof = (what: string) => new ApiError('vault_invalid', { details: { new_auth_hash: what } });

export const handler = endpoint(routes.write, writeVault, writeDeps, vaultCaller);
