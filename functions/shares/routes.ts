import { defineRoutes } from '../shared/contract/route.ts';
import { CreatedShare, OpenedShare, SharePayload, ShareQuery, shareBodyMaxBytes } from './share.ts';

export const routes = defineRoutes({
  create: {
    method: 'POST',
    path: '/api/share',
    summary: 'Stores a secret that was encrypted on the client, to be opened by link.',
    description: [
      'The server never sees the key: put it in the fragment of the link you hand out,',
      '`<share_page_url>/<shareId>#<key>`.',
      '',
      'A one-time share is deleted by its first reader. To read it is to burn it, so have the page that opens',
      'links ask before it calls GET /api/share: link previews would otherwise consume the secret.',
    ].join('\n'),
    auth: 'none',
    limit: { group: 'share-create', max: 5, windowMs: 60_000 },
    body: SharePayload,
    maxBodyBytes: shareBodyMaxBytes,
    response: CreatedShare,
    errors: { invalid: 'share_invalid', limited: 'share_limited', failed: 'share_create_failed' },
    cors: true,
    grants: { table: { SHARE: ['PutItem'] } },
  },
  read: {
    method: 'GET',
    path: '/api/share',
    summary: 'Opens a share; a one-time share is gone afterwards.',
    description: 'Absent, already opened and expired shares give one and the same 404.',
    auth: 'none',
    query: ShareQuery,
    response: OpenedShare,
    errors: { invalid: 'share_missing_id', failed: 'share_read_failed', also: ['share_gone'] },
    cors: true,
    grants: { table: { SHARE: ['GetItem', 'DeleteItem'] } },
  },
});
