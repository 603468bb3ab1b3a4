import { defineRoute } from '../../shared/contract/route.ts';
import { ReviewListQuery } from '../api/requests.ts';
import { ReviewQueue } from '../api/responses.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/api/operator/reviews',
  summary: 'Lists the links in the review queue: priority first, then the longest waiting.',
  description: 'The list is eventually consistent: a recent submission or review may not be reflected yet.',
  auth: 'operator',
  operatorScope: 'review',
  query: ReviewListQuery,
  response: ReviewQueue,
  errors: { invalid: 'invalid_request', failed: 'server_error', also: ['invalid_token'] },
  grants: { indexes: { queue: ['QUEUE'] } },
});
