import * as z from 'zod/mini';
import type { ByteLimit } from '../../shared/contract/route.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { ShareQuery } from '../share.ts';

/** The bytes that one address may receive. Each open counts at least `minCountedBytes`, so that requests are bounded as well. */
export const shareByteLimit = {
  group: 'share-bytes',
  maxBytes: 500_000_000,
  counted: 'responses to one client address',
} as const satisfies ByteLimit;

const OpenHeaders = z.object({
  'x-share-proof': z.optional(
    z.string().check(
      z.meta({
        description:
          'The share proof, 22 to 128 characters of base64url, for a share with an `access_proof`. Other shares ignore it.',
        examples: ['kJ8xw0mWm0iWv0Zl7m3a1qvI0c2b8VZ5n0Jr2m5tX1E'],
      }),
    ),
  ),
});

const OpenedShare = z.object({
  data_blob: z.string(),
  meta_blob: z.nullable(z.string()),
  iv: z.string(),
  created_at: z.iso.datetime(),
});

export const route = defineRoute({
  method: 'GET',
  path: '/api/share',
  ofContract: 'path',
  isUnsafe: true,
  summary: 'Opens a share. A one-time share is deleted.',
  description: [
    'Unknown, expired and already opened one-time shares all get the same 404 response.',
    '',
    'Each request counts at least 16 KiB of the bytes that an address may receive. A one-time share that is refused for',
    'them (429) is not opened: it can still be opened once.',
    '',
    'A share with an `access_proof` answers 403 to a missing or wrong share proof, and is not opened. After 30 wrong ones',
    'in an hour of UTC the share answers 429 until the hour ends, even to the right one, so that a passphrase cannot be',
    'guessed. A missing share proof does not count.',
  ].join('\n'),
  auth: 'none',
  byteLimit: shareByteLimit,
  // Opening a one-time share of 1 MiB costs 0.00077 dollars: at this rate 386 dollars an hour.
  throttle: { ratePerSecond: 140, burst: 280 },
  headers: OpenHeaders,
  query: ShareQuery,
  response: OpenedShare,
  errors: {
    invalid: 'share_missing_id',
    limited: 'share_limited',
    failed: 'share_read_failed',
    also: ['share_gone', 'share_proof_wrong'],
  },
  cors: true,
  // The head of a share is never deleted: without its payload it stays until it expires.
  grants: { table: { SHARE: ['GetItem', 'UpdateItem'], 'SHARE#*': ['DeleteItem'] } },
});
