import * as z from 'zod/mini';
import { base64Field, ivField } from '../shared/fields/base64-field.ts';
import { UserId } from '../shared/fields/user-id.ts';

const ciphertextBytes = 3 * 1024 * 1024;

export const version = z
  .int()
  .check(z.gte(0), z.meta({ description: 'Number of writes of this vault, starting at 1.', examples: [1] }));

/** Optional, because an access token identifies the user. */
export const userId = z.optional(
  UserId.check(z.meta({ description: 'Identifies the user. Optional with an access token.' })),
);

export const VaultWrite = z.object({
  userId,
  data_blob: base64Field(1, ciphertextBytes).check(
    z.meta({
      description: 'Base64 ciphertext, up to 3 MiB.',
      examples: ['q83vASNFZ4mrze8BI0VniavN7wEjRWeJ'],
    }),
  ),
  iv: ivField,
  version: z._default(
    version.check(z.meta({ description: 'The version that you last read. 0 or absent for a new vault.' })),
    0,
  ),
  new_auth_hash: z.optional(
    z
      .string()
      .check(
        z.regex(/^[0-9a-f]{64}$/, 'must be 64 lowercase hexadecimal digits'),
        z.meta({ description: 'The proof of a new master password. It replaces the one in `x-auth-hash`.' }),
      ),
  ),
});

export interface Vault {
  dataBlob: string;
  iv: string;
  version: number;
  updatedAtMs: number;
  /** The id of the proof that is current since this version. */
  proofId: string;
}
