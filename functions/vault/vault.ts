import * as z from 'zod/mini';
import { base64Field, ivField } from '../shared/fields/base64-field.ts';
import { UserId } from '../shared/fields/user-id.ts';

const ciphertextBytes = 3 * 1024 * 1024;

/** The Base64 of the largest vault, and room for the JSON around it. */
export const vaultBodyMaxBytes = 4_300_000;

const version = z
  .int()
  .check(z.gte(0), z.meta({ description: 'Counts the writes of this vault, from 1.', examples: [1] }));

/** An access token names the user by itself. */
const userId = z.optional(
  UserId.check(z.meta({ description: 'Names the user; may be left out with an access token.' })),
);

export const VaultQuery = z.object({ userId });

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
    version.check(z.meta({ description: 'The one last seen; 0 or none for a new vault.' })),
    0,
  ),
  new_auth_hash: z.optional(
    z
      .string()
      .check(
        z.regex(/^[0-9a-f]{64}$/, 'must be 64 lowercase hexadecimal digits'),
        z.meta({ description: 'The proof of a new master password; replaces that of `x-auth-hash`.' }),
      ),
  ),
});

export const VaultContent = z.object({
  data_blob: z.string(),
  iv: z.string(),
  version,
  updated_at: z.iso.datetime(),
});

export const WrittenVault = z.object({ success: z.literal(true), version, updated_at: z.iso.datetime() });

/** A vault as the service holds it: ciphertext that it cannot read. */
export interface Vault {
  dataBlob: string;
  iv: string;
  version: number;
  /** Epoch milliseconds. */
  updatedAtMs: number;
  /** Names the proof that holds since this version was written. */
  provenBy: string;
}
