import * as z from 'zod/mini';
import { keysOf } from '../shared/contract/defined.ts';
import { base64Field, ivField } from '../shared/fields/base64-field.ts';
import { dayMs, hourMs, isoTime } from '../shared/runtime/clock.ts';

export const shareLimits = {
  ciphertextBytes: 1024 * 1024,
  metadataBytes: 4 * 1024,
  maxHours: 168,
  defaultHours: 24,
  maxViews: 100,
  /** Wrong proofs of a share in an hour of UTC: at most 5,070 in the 169 hours that seven days meet. */
  wrongProofsPerHour: 30,
} as const;

/** How long a receipt can be read after the share has expired. */
export const receiptKeptMs = 30 * dayMs;
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
  one_time: z.optional(
    z.boolean().check(
      z.meta({
        description:
          'Whether the first read deletes the share. `true` by default, without `max_views`; not together with `max_views` above 1.',
        default: true,
      }),
    ),
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
  access_proof: z.optional(
    z.string().check(
      z.regex(/^[0-9a-f]{64}$/, 'must be 64 lowercase hexadecimal digits'),
      z.meta({
        description:
          'The SHA-256 of the share proof, in hexadecimal. The share then opens only with the share proof as `x-share-proof`.',
        examples: ['5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8'],
      }),
    ),
  ),
  max_views: z.optional(
    z
      .int()
      .check(
        z.gte(1),
        z.lte(shareLimits.maxViews),
        z.meta({ description: 'How often the share can be opened. 1 makes a one-time share.' }),
      ),
  ),
  receipt: z.optional(
    z.boolean().check(
      z.meta({
        description:
          'Whether the response has a `receiptToken`. A repeatable share with a receipt can be opened at most 100 times.',
        default: false,
      }),
    ),
  ),
});

export const ShareQuery = z.object({
  id: z.string().check(z.minLength(1), z.meta({ description: 'The `shareId` of the created share.' })),
});

export const ReceiptHeaders = z.object({
  'x-receipt-token': z.optional(
    z
      .string()
      .check(
        z.meta({ description: 'The `receiptToken` of the share.', examples: ['vsr_8Jm2kQ0fT5xWc1hVnRbL4A'] }),
      ),
  ),
});

export const Receipt = z.object({
  status: z.enum(['stored', 'opened', 'expired', 'burned']).check(
    z.meta({
      description:
        '`stored`: not opened yet. `opened`: opened at least once. `expired`: never opened. `burned`: burned while it could be opened.',
    }),
  ),
  views: z.int().check(z.meta({ description: 'How often the share was opened.' })),
  max_views: z.int().check(z.meta({ description: 'How often the share can be opened.' })),
  first_opened_at: z
    .nullable(z.iso.datetime())
    .check(z.meta({ description: 'The time of the first view. Null before it.' })),
  last_opened_at: z
    .nullable(z.iso.datetime())
    .check(z.meta({ description: 'The time of the last view so far. Null before the first.' })),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  burned_at: z.nullable(z.iso.datetime()).check(z.meta({ description: 'Null unless the share was burned.' })),
});

export interface Share {
  dataBlob: string;
  metaBlob: string | null;
  iv: string;
  createdAtMs: number;
  expiresAtMs: number;
}

/** The state of a share, for its receipt. Times are epoch milliseconds. */
export interface ShareRecord {
  createdAtMs: number;
  expiresAtMs: number;
  maxViews: number;
  /** In order of time. */
  viewsAtMs: readonly number[];
  burnedAtMs: number | undefined;
}

export function toReceipt(record: ShareRecord, nowMs: number): z.output<typeof Receipt> {
  const { createdAtMs, expiresAtMs, maxViews, viewsAtMs, burnedAtMs } = record;
  return {
    status: statusOf(record, nowMs),
    views: viewsAtMs.length,
    max_views: maxViews,
    first_opened_at: timeOrNull(viewsAtMs.at(0)),
    last_opened_at: timeOrNull(viewsAtMs.at(-1)),
    created_at: isoTime(createdAtMs),
    expires_at: isoTime(expiresAtMs),
    burned_at: timeOrNull(burnedAtMs),
  };
}

function statusOf(
  { viewsAtMs, burnedAtMs, expiresAtMs }: ShareRecord,
  nowMs: number,
): z.output<typeof Receipt>['status'] {
  if (burnedAtMs !== undefined) return 'burned';
  if (viewsAtMs.length > 0) return 'opened';
  return nowMs < expiresAtMs ? 'stored' : 'expired';
}

const timeOrNull = (atMs: number | undefined) => (atMs === undefined ? null : isoTime(atMs));

/** When a share created now expires, at least one millisecond ahead. */
export const expiryMs = (nowMs: number, hours: number): number => nowMs + Math.ceil(hours * hourMs);

export interface Protection {
  /** The SHA-256 of the share proof, in hexadecimal. */
  accessProof: string | undefined;
  /** How often the share opens; undefined without a limit. */
  maxViews: number | undefined;
  /** The SHA-256 of the receipt token, in hexadecimal. */
  receiptHash: string | undefined;
}

/** How often a share opens; undefined without a limit. Every view of a share with a receipt is recorded, so they are limited. */
export function viewsOf({
  one_time: oneTime = true,
  max_views: maxViews,
  receipt,
}: Pick<z.output<typeof SharePayload>, 'one_time' | 'max_views' | 'receipt'>): number | undefined {
  if (maxViews !== undefined) return maxViews;
  if (oneTime) return 1;
  return receipt ? shareLimits.maxViews : undefined;
}

/** How a share is read: it determines the operations on the table. */
export type ReadMode = 'once' | 'onceInParts' | 'many' | 'onceWithProof' | 'apart';

const idPrefixByMode: Record<ReadMode, string> = {
  once: 'o',
  onceInParts: 'l',
  many: 'm',
  onceWithProof: 'p',
  apart: 'a',
};

/**
 * The largest ciphertext that is stored in the head of a share with an access proof. A try of a proof writes the head, and
 * DynamoDB bills a write by the size of the item, also a refused one: at 368 KiB one address could cause some 200 dollars a day.
 */
const headWithProofMaxBytes = 16 * 1024;

/**
 * The read mode in which a share is stored.
 *
 * @param payload the size of its ciphertext in bytes, and the number of items beyond the first that it takes.
 */
export function readModeFor(
  { accessProof, maxViews, receiptHash }: Protection,
  { totalBytes, parts }: { totalBytes: number; parts: number },
): ReadMode {
  const hasProof = accessProof !== undefined;
  if (receiptHash !== undefined) return 'apart';
  if (maxViews === undefined) return hasProof ? 'apart' : 'many';
  if (maxViews > 1) return 'apart';
  if (hasProof) return totalBytes > headWithProofMaxBytes ? 'apart' : 'onceWithProof';
  return parts > 0 ? 'onceInParts' : 'once';
}

/**
 * The id of a share. Its first letter encodes the read mode, so that the first operation on a share of ordinary size
 * returns its payload: a claim, or a read. An id with its letter changed belongs to no share.
 */
export const shareId = (mode: ReadMode, random: string): string => idPrefixByMode[mode] + random;

/** The read mode of the share with this id; undefined for text that is not the id of a share. */
export function readModeOf(id: string): ReadMode | undefined {
  const [, letter] = /^([olmpa])[A-Za-z0-9_-]{22}$/.exec(id) ?? [];
  return keysOf(idPrefixByMode).find((mode) => idPrefixByMode[mode] === letter);
}
