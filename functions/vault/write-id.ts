import type * as z from 'zod/mini';
import { writeDigest } from '../shared/auth/proof.ts';
import type { VaultWrite } from './vault.ts';

/**
 * Identifies a request that sets a proof: its content with the new proof, and the version that it replaces. Keyed, like
 * the digest of a write.
 */
export function writeIdOf(body: z.output<typeof VaultWrite>): Promise<string> {
  const { data_blob, iv, new_auth_hash = '', version } = body;
  return writeDigest(data_blob, iv, new_auth_hash, version);
}
