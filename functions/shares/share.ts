import * as z from 'zod/mini';
import { base64Field, ivField } from '../shared/fields/base64-field.ts';

/** What a share may hold; sizes in bytes of the decoded Base64. */
const shareLimits = {
  ciphertextBytes: 1024 * 1024,
  metadataBytes: 4 * 1024,
  maxHours: 168,
  defaultHours: 24,
} as const;

/** The Base64 of all three at their largest, and room for the JSON around them. */
export const shareBodyMaxBytes = 1_500_000;

const hourMs = 3_600_000;

export const SharePayload = z.object({
  data_blob: base64Field(1, shareLimits.ciphertextBytes).check(
    z.meta({
      description: 'Base64 AES-256-GCM ciphertext, up to 1 MiB.',
      examples: ['q83vASNFZ4mrze8BI0VniavN7wEjRWeJ'],
    }),
  ),
  meta_blob: z._default(
    z
      .nullable(base64Field(0, shareLimits.metadataBytes))
      .check(z.meta({ description: 'Base64 encrypted metadata, up to 4 KiB.' })),
    null,
  ),
  iv: ivField,
  one_time: z._default(z.boolean().check(z.meta({ description: 'Delete on first retrieval.' })), true),
  expires_in_hours: z._default(
    z
      .number()
      .check(
        z.gt(0),
        z.lte(shareLimits.maxHours),
        z.meta({ description: 'Hours to live; fractions are fine.' }),
      ),
    shareLimits.defaultHours,
  ),
});

export const CreatedShare = z.object({
  success: z.literal(true),
  shareId: z.string().check(z.meta({ description: 'Opaque; 128 random bits.' })),
  expiresAt: z.iso.datetime(),
});

export const ShareQuery = z.object({
  id: z.string().check(z.minLength(1), z.meta({ description: 'The `shareId`.' })),
});

export const OpenedShare = z.object({
  data_blob: z.string(),
  meta_blob: z.nullable(z.string()),
  iv: z.string(),
  created_at: z.iso.datetime(),
});

/** A share as the service holds it. Times are epoch milliseconds. */
export interface Share {
  dataBlob: string;
  metaBlob: string | null;
  iv: string;
  createdAtMs: number;
  expiresAtMs: number;
}

/** The moment a share created now is no longer handed out; at least a millisecond ahead. */
export function expiryMs(nowMs: number, hours: number): number {
  return nowMs + Math.ceil(hours * hourMs);
}

/** How a share is read: its first operation on the table differs. */
export type ReadMode = 'once' | 'onceInParts' | 'many';

const idPrefixByMode: Record<ReadMode, string> = { once: 'o', onceInParts: 'l', many: 'm' };

/**
 * A share's id says how it is read, so that opening one of ordinary size is a single operation: a delete that
 * returns what it deleted, or a read. Changing the letter names another, absent share.
 */
export function shareId(reading: ReadMode, random: string): string {
  return idPrefixByMode[reading] + random;
}

/** How the share of that id is read; undefined when it is no id of ours. */
export function readModeOf(id: string): ReadMode | undefined {
  const [, letter] = /^([olm])[A-Za-z0-9_-]{22}$/.exec(id) ?? [];
  return (Object.keys(idPrefixByMode) as ReadMode[]).find((reading) => idPrefixByMode[reading] === letter);
}
