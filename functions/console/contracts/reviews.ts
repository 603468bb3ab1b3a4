import * as z from 'zod/mini';
import { ReviewPath } from '../../links/api/requests.ts';
import { reviewDecideRoute } from '../../links/contracts/reviews.ts';
import { type Grants, mergedGrants } from '../../shared/contract/grants.ts';
import { page } from '../../shared/contract/headers.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { cursorField } from '../../shared/fields/page.ts';
import { linesField } from '../../shared/fields/text.ts';
import { reasonNames } from '../reviews/reasons.ts';
import {
  actionRoute,
  choice,
  count,
  definePage,
  emptyOr,
  formBody,
  hidden,
  listQuery,
  reasonBody,
  recordErrors,
  sessionTable,
} from './console-route.ts';

export const reviewQueueRoute = definePage(
  {
    operationId: 'showConsoleReviewsPage',
    path: '/console/reviews',
    summary: 'Shows reviewers the links that are waiting for review.',
    description:
      'For browsers. Links with priority come first, then those that have waited longest. The page shows who has claimed a link, and the waiting times.',
    grants: {
      table: { APP: ['BatchGetItem'], REVIEWCLAIM: ['BatchGetItem'] },
      indexes: { queue: ['QUEUE'], listed: ['DIRECTORY'] },
    },
  },
  listQuery,
);

/** Reads a link with all that its page shows, and claims it. */
const reviewGrants = {
  table: {
    ...sessionTable,
    APP: ['GetItem'],
    HISTORY: ['Query'],
    LINK: ['GetItem', 'Query'],
    REVIEWCLAIM: ['BatchGetItem', 'UpdateItem'],
    USER: ['GetItem', 'Query'],
  },
  indexes: { byLink: [], byStatus: ['LINK'], queue: ['QUEUE'] },
} as const satisfies Grants;

export const reviewShowRoute = definePage(
  {
    path: '/console/reviews/{linkId}',
    isUnsafe: true,
    summary: 'Shows a reviewer a link, its user and its history.',
    description:
      'For browsers. Opening a pending link claims it for ten minutes, unless another reviewer has claimed it. Opening it again extends the claim.',
    params: ReviewPath,
    errors: recordErrors,
    grants: reviewGrants,
  },
  { cursor: cursorField },
);

export const reviewNextRoute = defineRoute({
  ...actionRoute,
  path: '/console/reviews',
  operationId: 'submitConsoleReviewsPage',
  summary: 'Claims the next unclaimed link for a reviewer.',
  description:
    'For browsers. The claim lasts ten minutes. Two reviewers who ask at the same time get different links.',
  body: z.object(formBody),
  grants: {
    table: { ...sessionTable, REVIEWCLAIM: ['BatchGetItem', 'UpdateItem'] },
    indexes: { queue: ['QUEUE'] },
    files: ['console.js'],
  },
});

const revision = count('The revision of the link that the page showed.');

export const reviewSubmitRoute = defineRoute({
  ...actionRoute,
  path: '/console/reviews/{linkId}',
  summary:
    'Verifies or rejects a link, withdraws that decision, or takes over the claim of another reviewer.',
  description: [
    'For browsers. A decision leads to the next unclaimed link. It is refused when the link has changed since the page was',
    'shown, or when another reviewer has claimed it. For a minute, the page after it offers to undo it. A decision that is withdrawn leads',
    'to its link, which is pending again.',
  ].join('\n'),
  params: ReviewPath,
  body: z.discriminatedUnion('action', [
    z.object({ action: z.literal('verify'), ...formBody, revision }),
    z.object({
      action: z.literal('reject'),
      ...formBody,
      revision,
      reason: choice('A reason of the list.', reasonNames),
      words: emptyOr('The reason in the words of the reviewer.', linesField(500)),
    }),
    z.object({ action: z.literal('withdraw'), ...reasonBody, revision }),
    z.object({
      action: z.literal('take-over'),
      ...formBody,
      holder: hidden('The id of the operator key whose claim is taken over.'),
    }),
  ]),
  otherResponses: [
    ...actionRoute.otherResponses,
    page(
      409,
      'The link has changed or was decided, or another reviewer has claimed it. The page shows its status. Nothing was decided.',
    ),
    page(422, 'The rejection has no reason. The page asks for one.'),
  ],
  errors: { ...actionRoute.errors, also: ['not_found'] },
  grants: mergedGrants([
    reviewGrants,
    reviewDecideRoute.grants,
    { table: { AUDIT: ['PutItem'], REVIEWCLAIM: ['DeleteItem'] }, files: ['console.js'] },
  ]),
});
