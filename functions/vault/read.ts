import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import { routes } from './routes.ts';
import { vaultStore } from './store.ts';
import { vaultCaller } from './vault-caller.ts';

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
