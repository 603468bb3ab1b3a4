import { defineRoute } from '../../shared/contract/route.ts';
import { ReviewPath, ReviewQuery } from '../api/requests.ts';
import { Review } from '../api/responses.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/api/operator/reviews/{linkId}',
  summary: 'Retrieves a link with its history and the user that it was submitted for.',
  description: [
    'The history is paged backwards: the first page contains the latest events, up to `limit` (400 by',
    'default) and no more than fit in 4 MB. While there are earlier events, the response has a `nextCursor`.',
    'The events of a page are sorted oldest first. The submission is the first event of the last page.',
  ].join('\n'),
  auth: 'operator',
  operatorScope: 'review',
  params: ReviewPath,
  query: ReviewQuery,
  response: Review,
  errors: { invalid: 'invalid_request', failed: 'server_error', also: ['invalid_token', 'not_found'] },
  grants: {
    table: { LINK: ['GetItem'], HISTORY: ['Query'], USER: ['GetItem', 'Query'] },
    indexes: { byLink: [] },
  },
});
