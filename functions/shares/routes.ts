import { defineRoutes } from '../shared/contract/route.ts';
import { minuteMs } from '../shared/runtime/duration.ts';
import {
  CreatedShare,
  OpenedShare,
  SharePayload,
  ShareQuery,
  shareBodyMaxBytes,
  shareByteLimit,
} from './share.ts';

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
    ].join('\n'),
    auth: 'none',
    byteLimit: shareByteLimit,
    // Opening a one-time share of 1 MiB costs 0.00077 dollars: at this rate 386 dollars an hour.
    throttle: { ratePerSecond: 140, burst: 280 },
    query: ShareQuery,
    response: OpenedShare,
    errors: {
      invalid: 'share_missing_id',
      limited: 'share_limited',
      failed: 'share_read_failed',
      also: ['share_gone'],
    },
    cors: true,
    // The head of a share is never deleted: without its payload it stays until it expires.
    grants: { table: { SHARE: ['GetItem', 'UpdateItem'], 'SHARE#*': ['DeleteItem'] } },
  },
});
