import { isoTime } from '../shared/clock.ts';
import type { Input, Output } from '../shared/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { ApiError } from '../shared/errors.ts';
import { vaultCaller } from '../shared/vault-caller.ts';
import { routes } from './routes.ts';
import { vaultStore } from './store.ts';

const readDeps = () => ({ vaults: vaultStore });

/** Reads the vault of a caller who has proved himself. */
export async function readVault(
  { caller }: Input<typeof routes.read>,
  { vaults }: ReturnType<typeof readDeps>,
): Promise<Output<typeof routes.read>> {
  // Without a proof on record nothing was compared: a vault that came into being since is not this caller's to see.
  const vault = caller.provenBy === undefined ? undefined : await vaults.read(caller.userId);
  if (vault && vault.provenBy !== caller.provenBy) throw new ApiError('proof_invalid');
  if (vault === undefined) throw new ApiError('vault_absent');
  const { dataBlob: data_blob, iv, version, updatedAtMs } = vault;
  return { data_blob, iv, version, updated_at: isoTime(updatedAtMs) };
}

export const handler = endpoint(routes.read, readVault, readDeps, vaultCaller);
