import { defineRoutes } from '../shared/contract/route.ts';
import { minuteMs } from '../shared/runtime/duration.ts';
import {
  CreatedShare,
  OpenedShare,
  OpenHeaders,
  Receipt,
  ReceiptHeaders,
  SharePayload,
  ShareQuery,
  shareBodyMaxBytes,
  shareByteLimit,
} from './share.ts';

/** Shared by receipts and burns: a page that shows a receipt reads it now and then. */
const receiptLimit = { group: 'share-receipt', max: 60, windowMs: minuteMs } as const;

export const routes = defineRoutes({
  create: {
    method: 'POST',
    path: '/api/share',
    summary: 'Stores a secret encrypted on the client, to be opened with a link.',
    description: [
      'The server never sees the key. Put it in the fragment of the link that you send:',
      '`<share_page_url>/<shareId>#<key>`.',
      '',
      'The first read of a one-time share deletes it. Let the page behind the link ask for confirmation before it calls',
      'GET /api/share. Otherwise link previews consume the secret.',
      '',
      'With an `access_proof` a share opens only for callers who prove that they have the key of the link, and the passphrase',
      'if there is one. Derive the share proof from them, and send its SHA-256 here. The client library does so.',
      '',
      'With `receipt` the response has a `receiptToken`. GET /api/share/receipt tells with it whether the share was opened,',
      'and DELETE /api/share burns the share.',
    ].join('\n'),
    auth: 'none',
    limit: { group: 'share-create', max: 5, windowMs: minuteMs },
    // A share of 1 MiB costs 0.00145 dollars to store: at this rate 392 dollars an hour.
    throttle: { ratePerSecond: 75, burst: 150 },
    body: SharePayload,
    maxBodyBytes: shareBodyMaxBytes,
    response: CreatedShare,
    errors: { invalid: 'share_invalid', limited: 'share_limited', failed: 'share_create_failed' },
    cors: true,
    grants: { table: { SHARE: ['PutItem'] } },
  },
  open: {
    method: 'GET',
    path: '/api/share',
    summary: 'Opens a share. A one-time share is deleted.',
    description: [
      'Unknown, expired and already opened one-time shares all get the same 404 response.',
      '',
      'Each request counts at least 16 KiB of the bytes that an address may receive. A one-time share that is refused for',
      'them (429) is not opened: it can still be opened once.',
      '',
      'A share with an `access_proof` answers 403 to a missing or wrong share proof, and is not opened. After 30 wrong ones',
      'in an hour of UTC it answers 429 until the hour ends, to the right one as well, so that a passphrase cannot be guessed.',
      'A missing share proof does not count.',
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
  },
  receipt: {
    method: 'GET',
    path: '/api/share/receipt',
    summary: 'Tells whether a share was opened, when and how often. Opens nothing.',
    description: [
      'For shares that were created with `receipt`, until 30 days after they expire. A wrong token, a share without a receipt',
      'and an unknown id get the same 404 response.',
    ].join('\n'),
    auth: 'none',
    limit: receiptLimit,
    concurrentRateLimit: true,
    headers: ReceiptHeaders,
    query: ShareQuery,
    response: Receipt,
    errors: {
      invalid: 'share_missing_id',
      limited: 'share_limited',
      failed: 'share_read_failed',
      also: ['share_gone'],
    },
    cors: true,
    grants: { table: { SHARE: ['GetItem'] } },
  },
  burn: {
    method: 'DELETE',
    path: '/api/share',
    summary: 'Burns a share: its ciphertext is deleted before the response. Returns its receipt.',
    description: [
      'For shares that were created with `receipt`. Either a concurrent reader opens the share, or it is burned, never both.',
      '',
      'A share that was opened as often as it opens, or that has expired, keeps its status. A repeat changes nothing.',
    ].join('\n'),
    auth: 'none',
    limit: receiptLimit,
    // Burning a share of 1 MiB costs 0.00073 dollars: at this rate 370 dollars an hour.
    throttle: { ratePerSecond: 140, burst: 280 },
    headers: ReceiptHeaders,
    query: ShareQuery,
    response: Receipt,
    errors: {
      invalid: 'share_missing_id',
      limited: 'share_limited',
      failed: 'share_burn_failed',
      also: ['share_gone'],
    },
    cors: true,
    grants: { table: { SHARE: ['UpdateItem'], 'SHARE#*': ['DeleteItem'] } },
  },
});
