import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import { authenticateVaultCaller } from './authenticate.ts';
import { readRoute } from './routes.ts';
import { vaultStore } from './store.ts';

export const readVault: Handler<typeof readRoute> = async ({ caller }) => {
  // Without a stored proof nothing was compared, so a vault created since the check must not be returned.
  const vault = caller.proofId === undefined ? undefined : await vaultStore.read(caller.userId);
  if (vault && vault.proofId !== caller.proofId) throw new ApiError('proof_invalid');
  if (vault === undefined) throw new ApiError('vault_absent');
  const { dataBlob: data_blob, iv, version, updatedAtMs } = vault;
  return { data_blob, iv, version, updated_at: isoTime(updatedAtMs) };
};

export const handler = endpoint(readRoute, readVault, authenticateVaultCaller);
