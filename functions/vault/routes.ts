import * as z from 'zod/mini';
import { type ByteLimit, defineRoute, type Routes } from '../shared/contract/route.ts';
import { minuteMs } from '../shared/runtime/clock.ts';
import { userId, VaultWrite, version } from './vault.ts';

const accessTokenNote =
  'An access token with the scope `vault` identifies the user and replaces the proof. A token without the scope gets 401.';

const authenticationErrors = ['device_not_verified', 'proof_invalid', 'proof_locked'] as const;

const VaultQuery = z.object({ userId });

const VaultContent = z.object({
  data_blob: z.string(),
  iv: z.string(),
  version,
  updated_at: z.iso.datetime(),
});

export const readRoute = defineRoute({
  method: 'GET',
  path: '/api/vault',
  ofContract: 'path',
  summary: 'Retrieves the encrypted vault.',
  description: [
    'Checks run in this order: rate limit (429), device (403), proof (401), vault (404). After ten wrong proofs for a',
    'user from one address within 15 minutes, or 100 in total within an hour, every proof is refused (429).',
    '',
    accessTokenNote,
  ].join('\n'),
  auth: 'proof',
  limit: { group: 'vault-read', max: 30, windowMs: minuteMs },
  // Reading a vault of 3 MiB costs 0.00047 dollars with its transfer: at this rate 340 dollars an hour.
  throttle: { ratePerSecond: 200, burst: 400 },
  query: VaultQuery,
  response: VaultContent,
  errors: {
    invalid: 'vault_invalid',
    limited: 'vault_limited',
    failed: 'vault_failed',
    also: [...authenticationErrors, 'vault_absent'],
  },
  cors: true,
  grants: {
    table: { VAULT: ['GetItem'], APP: ['GetItem'], ACCESSTOKEN: ['GetItem'] },
  },
});

/** Fits the Base64 of the largest vault and the JSON around it. */
const vaultBodyMaxBytes = 4_300_000;

/** The bytes that one user, and one address, may store. */
export const vaultByteLimit = {
  group: 'vault-bytes',
  maxBytes: 300_000_000,
  counted: 'ciphertext (the characters of `data_blob`) for each client address and for each user',
} as const satisfies ByteLimit;

const WrittenVault = z.object({ success: z.literal(true), version, updated_at: z.iso.datetime() });

export const writeRoute = defineRoute({
  method: 'POST',
  path: '/api/vault',
  ofContract: 'path',
  summary: 'Replaces the encrypted vault atomically.',
  description: [
    'Send the `version` that you last read. When another version has been stored since, the response is 409 with the',
    'current version and nothing is written: read the vault, merge, and write again. Repeating an identical write',
    'returns the response to the first one.',
    '',
    'The first write creates the vault and registers the proof. To change the master password, send the re-encrypted',
    'vault with `new_auth_hash`: both change atomically. If the response is lost, repeat the identical request, with the',
    'former proof in `x-auth-hash`. It returns the response to the first one, until the vault is written again.',
    '',
    accessTokenNote,
    'Without `x-auth-hash`, a new vault requires `new_auth_hash`, and the proof of an existing vault cannot be replaced.',
  ].join('\n'),
  auth: 'proof',
  limit: { group: 'vault-write', max: 10, windowMs: minuteMs },
  byteLimit: vaultByteLimit,
  // Replacing a vault of 3 MiB costs 0.00436 dollars: at this rate 393 dollars an hour.
  throttle: { ratePerSecond: 25, burst: 50 },
  body: VaultWrite,
  maxBodyBytes: vaultBodyMaxBytes,
  response: WrittenVault,
  errors: {
    invalid: 'vault_invalid',
    limited: 'vault_limited',
    failed: 'vault_failed',
    also: [...authenticationErrors, 'vault_conflict'],
  },
  cors: true,
  grants: {
    table: {
      VAULT: ['GetItem', 'PutItem', 'DeleteItem'],
      PROOF: ['PutItem'],
      ACCESSTOKEN: ['GetItem'],
      APP: ['GetItem'],
    },
  },
});

export const routes = {
  read: readRoute,
  write: writeRoute,
} satisfies Routes;
