import { defineRoute } from '../../shared/contract/route.ts';
import { Receipt, ReceiptHeaders, ShareQuery } from '../share.ts';
import { receiptLimit } from './common.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/api/share/receipt',
  operationId: 'getShareReceipt',
  summary: 'Returns the receipt of a share: whether, when and how often it was opened.',
  description: [
    'Only a share that was created with `receipt` has one, until 30 days after the share expires. Reading it opens nothing. A',
    'wrong token, a share without a receipt and an unknown id get the same 404 response.',
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
});
