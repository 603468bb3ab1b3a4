import { defineRoutes } from '../shared/contract/route.ts';
import { VaultContent, VaultQuery, VaultWrite, vaultBodyMaxBytes, WrittenVault } from './vault.ts';

const minuteMs = 60_000;
const unproven = ['device_not_verified', 'proof_invalid', 'proof_locked'] as const;
const byToken =
  'An access token with the scope `vault` names the user and stands in for the proof; without that scope it is refused with 401.';

export const routes = defineRoutes({
  read: {
    method: 'GET',
    path: '/api/vault',
    summary: 'Reads the encrypted vault.',
    description: [
      'Checked in this order: the limit, the device (403), the proof (401), the vault (404). Ten wrong proofs for a user',
      'from one address in 15 minutes, or 100 from anywhere in an hour, and no proof is taken any more (429).',
      '',
      byToken,
    ].join('\n'),
    auth: 'proof',
    limit: { group: 'vault-read', max: 30, windowMs: minuteMs },
    query: VaultQuery,
    response: VaultContent,
    errors: {
      invalid: 'vault_invalid',
      limited: 'vault_limited',
      failed: 'vault_failed',
      also: [...unproven, 'vault_absent'],
    },
    cors: true,
    grants: { table: { VAULT: ['GetItem'], SECRET: ['GetItem'] } },
  },
  write: {
    method: 'POST',
    path: '/api/vault',
    summary: 'Replaces the encrypted vault, whole or not at all.',
    description: [
      'Send the `version` that you last saw. When another was stored meanwhile, the answer is 409 with the version there',
      'is, and nothing is written: read it, merge, write again. Sending the very same write again is answered like the first.',
      '',
      'The first write makes the vault and registers the proof. For a new master password send the vault encrypted anew',
      'with `new_auth_hash`: both change in one step.',
      '',
      byToken,
      'Without `x-auth-hash`, a new vault takes `new_auth_hash`, and that of an old one cannot be replaced.',
    ].join('\n'),
    auth: 'proof',
    limit: { group: 'vault-write', max: 10, windowMs: minuteMs },
    body: VaultWrite,
    maxBodyBytes: vaultBodyMaxBytes,
    response: WrittenVault,
    errors: {
      invalid: 'vault_invalid',
      limited: 'vault_limited',
      failed: 'vault_failed',
      also: [...unproven, 'vault_conflict'],
    },
    cors: true,
    grants: {
      table: { VAULT: ['GetItem', 'PutItem', 'DeleteItem'], PROOF: ['PutItem'], SECRET: ['GetItem'] },
    },
  },
});
