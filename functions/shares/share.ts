import * as z from 'zod/mini';
import type { ByteLimit } from '../shared/contract/route.ts';
import { base64Field, ivField } from '../shared/fields/base64-field.ts';
import { hourMs } from '../shared/runtime/duration.ts';

/** Limits of a share. Sizes are those of the decoded bytes. */
const shareLimits = {
  ciphertextBytes: 1024 * 1024,
  metadataBytes: 4 * 1024,
  maxHours: 168,
  defaultHours: 24,
} as const;

/** Fits the largest Base64 fields and the JSON around them. */
export const shareBodyMaxBytes = 1_500_000;

/** What one address may receive. Each open counts at least `minCountedBytes`, so that requests are bounded as well. */
export const shareByteLimit = {
  group: 'share-bytes',
  maxBytes: 500_000_000,
  counted: 'responses to one client address',
} as const satisfies ByteLimit;
export const minCountedBytes = 16 * 1024;

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
  one_time: z._default(
    z.boolean().check(z.meta({ description: 'Whether the first read deletes the share.' })),
    true,
  ),
  expires_in_hours: z._default(
    z
      .number()
      .check(
        z.gt(0),
        z.lte(shareLimits.maxHours),
        z.meta({ description: 'Hours until the share expires. Fractions are allowed.' }),
      ),
    shareLimits.defaultHours,
  ),
});

export const CreatedShare = z.object({
  success: z.literal(true),
  shareId: z.string().check(z.meta({ description: 'Opaque, with 128 random bits.' })),
  expiresAt: z.iso.datetime(),
});

export const ShareQuery = z.object({
  id: z.string().check(z.minLength(1), z.meta({ description: 'The `shareId` of the created share.' })),
});

export const OpenedShare = z.object({
  data_blob: z.string(),
  meta_blob: z.nullable(z.string()),
  iv: z.string(),
  created_at: z.iso.datetime(),
});

/** A share. Times are epoch milliseconds. */
export interface Share {
  dataBlob: string;
  metaBlob: string | null;
  iv: string;
  createdAtMs: number;
  expiresAtMs: number;
}

/** When a share created now expires, at least one millisecond ahead. */
export function expiryMs(nowMs: number, hours: number): number {
  return nowMs + Math.ceil(hours * hourMs);
}

/** How a share is read: it determines the operations on the table. */
export type ReadMode = 'once' | 'onceInParts' | 'many';

const idPrefixByMode: Record<ReadMode, string> = { once: 'o', onceInParts: 'l', many: 'm' };

/**
 * The id of a share. Its first letter encodes the read mode, so that the first operation on a share of ordinary size
 * returns its payload: a claim, or a read. An id with its letter changed belongs to no share.
 */
export function shareId(mode: ReadMode, random: string): string {
  return idPrefixByMode[mode] + random;
}

/** The read mode of the share with this id; undefined for text that is not the id of a share. */
export function readModeOf(id: string): ReadMode | undefined {
  const [, letter] = /^([olm])[A-Za-z0-9_-]{22}$/.exec(id) ?? [];
  return (Object.keys(idPrefixByMode) as ReadMode[]).find((mode) => idPrefixByMode[mode] === letter);
}
