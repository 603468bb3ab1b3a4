import { defineRoute } from '../../shared/contract/route.ts';
import { Receipt, ReceiptHeaders, ShareQuery } from '../share.ts';
import { receiptLimit } from './common.ts';

export const route = defineRoute({
  method: 'DELETE',
  path: '/api/share',
  summary: 'Burns a share, so that nobody can open it, and returns its receipt.',
  description: [
    'The ciphertext is deleted before the response. Only a share that was created with `receipt` can be burned. A concurrent',
    'reader either opens the share or finds it burned.',
    '',
    'A share without views left, or an expired one, keeps its status. A repeated request changes nothing.',
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
});
