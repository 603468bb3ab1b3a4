import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { minuteMs } from '../../shared/runtime/duration.ts';
import { userId, version } from '../vault.ts';
import { accessTokenNote, authenticationErrors } from './common.ts';

const VaultQuery = z.object({ userId });

const VaultContent = z.object({
  data_blob: z.string(),
  iv: z.string(),
  version,
  updated_at: z.iso.datetime(),
});

export const route = defineRoute({
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
