import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { nextCursorField } from '../../shared/fields/page.ts';
import { pageFields, ReviewPath } from '../api/requests.ts';
import { AccountResult, HistoryEntry, TrustLink } from '../api/responses.ts';

const ReviewQuery = z.object(pageFields);

const Review = z.object({
  trustLink: z
    .nullable(TrustLink)
    .check(z.meta({ description: 'Null once the link is removed. Its history stays.' })),
  revision: z.int(),
  user: z
    .nullable(
      z.object({
        userId: z.string(),
        email: z.optional(z.string()),
        name: z.optional(z.string()),
        status: z.optional(z.string()),
        verified: z.optional(z.boolean()),
      }),
    )
    .check(z.meta({ description: 'Null when there is no record of the user.' })),
  socialAccounts: z
    .array(AccountResult)
    .check(z.meta({ description: 'As many as fit in 1 MB, in the order of their platforms.' })),
  history: z
    .array(HistoryEntry)
    .check(
      z.meta({ description: 'A page of the history, the latest events on the first page. Oldest first.' }),
    ),
  nextCursor: nextCursorField(
    'Present when there are earlier events. Pass it as `cursor` to get the page before.',
  ),
});

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
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found'] },
  grants: {
    table: { LINK: ['GetItem'], HISTORY: ['Query'], USER: ['GetItem', 'Query'] },
    indexes: { byLink: [] },
  },
});
