import * as z from 'zod/mini';
import { defineRoute, operatorRoute } from '../../shared/contract/route.ts';
import { described, Time } from '../../shared/fields/described.ts';
import { nextCursorField } from '../../shared/fields/page.ts';
import { lineField, linesField, notBlank } from '../../shared/fields/text.ts';
import * as lists from '../../shared/lists/requests.ts';
import { pageFields, ReviewPath } from '../api/requests.ts';
import { AccountResult, HistoryEntry, nextCursor, OneLink, TrustLink } from '../api/responses.ts';
import { decisionKinds } from '../trust-links/decision.ts';

const ReviewListQuery = z.object(pageFields);

export const QueuedReview = z.object({
  linkId: z.string(),
  applicationId: z.string(),
  userId: z.string(),
  title: z.string(),
  url: z.string(),
  platform: z.string(),
  priority: z.boolean().check(
    z.meta({
      description:
        'Whether the link was verified before and has changed since, or its decision was withdrawn.',
    }),
  ),
  submittedAt: Time.check(z.meta({ description: 'When the link entered the queue for this review.' })),
  revision: z.int(),
});

const ReviewQueue = z.object({
  reviews: z.array(QueuedReview),
  nextCursor,
});

export const reviewListRoute = defineRoute({
  method: 'GET',
  path: '/api/operator/reviews',
  summary: 'Lists the links in the review queue: priority first, then the longest waiting.',
  description: 'The list is eventually consistent: a recent submission or review may not be reflected yet.',
  ...operatorRoute('review'),
  query: ReviewListQuery,
  response: ReviewQueue,
  grants: { indexes: { queue: ['QUEUE'] } },
});

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

export const reviewReadRoute = defineRoute({
  method: 'GET',
  path: '/api/operator/reviews/{linkId}',
  summary: 'Retrieves a link with its history and the user that it was submitted for.',
  description: [
    'The history is paged backwards: the first page contains the latest events, up to `limit` (400 by',
    'default) and no more than fit in 4 MB. While there are earlier events, the response has a `nextCursor`.',
    'The events of a page are sorted oldest first. The submission is the first event of the last page.',
  ].join('\n'),
  ...operatorRoute('review', 'not_found'),
  params: ReviewPath,
  query: ReviewQuery,
  response: Review,
  grants: {
    table: { LINK: ['GetItem'], HISTORY: ['Query'], USER: ['GetItem', 'Query'] },
    indexes: { byLink: [] },
  },
});

const revision = z
  .int()
  .check(
    z.gte(1),
    described('The `revision` that was reviewed. The request fails if the link has changed since.'),
  );
const reason = linesField(1000).check(z.minLength(1), notBlank, described('Why, for the history.'));

const ReviewDecision = z.discriminatedUnion('decision', [
  z.object({ decision: z.enum(['verified', 'rejected']), reason: z.optional(reason), revision }),
  z.object({
    decision: z
      .literal('withdrawn')
      .check(
        described(
          'A verified or rejected link is pending again, with priority, and its application receives `link.pending`.',
        ),
      ),
    reason,
    revision,
  }),
]);
export type ReviewDecision = z.output<typeof ReviewDecision>;

export const reviewDecideRoute = defineRoute({
  method: 'POST',
  path: '/api/operator/reviews/{linkId}',
  summary: 'Verifies or rejects a link at the revision that was reviewed, or withdraws that decision.',
  description: `\
The request fails if the link was changed, reviewed or removed since that \`revision\`. A pending link can be verified or rejected. A
verified or rejected link can only have its decision withdrawn, by any reviewer. The same decision of the same reviewer, sent again,
decides nothing and returns the link.`,
  ...operatorRoute('review', 'not_found', 'conflict'),
  params: ReviewPath,
  body: ReviewDecision,
  response: OneLink,
  grants: {
    table: { LINK: ['GetItem', 'PutItem'], HISTORY: ['PutItem', 'Query'], EVENT: ['PutItem'] },
    indexes: { byLink: [] },
  },
});

const decision = z.enum(decisionKinds);

const DecisionListQuery = z.object({
  decision: z.optional(decision.check(described('Only these decisions.'))),
  reviewer: z.optional(
    lineField(200).check(
      z.minLength(1),
      described('Only decisions with the operator key of this id, or by the person of this name.', 'Rita'),
    ),
  ),
  ...lists.periodFields('the decision', 'UTC'),
  ...lists.pageFields,
});

export const DecidedReview = z.object({
  linkId: z.string(),
  applicationId: z.string(),
  userId: z.string(),
  title: z.string().check(described('As it was decided, like `url` and `platform`.')),
  url: z.string(),
  platform: z.string(),
  decision,
  decidedAt: Time,
  revision: HistoryEntry.shape.revision,
  by: HistoryEntry.shape.by,
  reason: HistoryEntry.shape.reason,
});

const DecisionList = z.object({ reviews: z.array(DecidedReview), nextCursor: lists.nextCursor });

export const decisionListRoute = defineRoute({
  ...lists.operatorListRoute,
  path: '/api/operator/reviews/decided',
  summary: 'Lists the decisions of reviewers, newest first.',
  description: `\
Each decision is listed with the link as the reviewer saw it, also after the link was changed, decided again or removed. A new decision
shows in the list within moments. No decision is on two pages.

A request looks at 5,000 decisions at most. With filters that few of them match, a page can have fewer than \`limit\` decisions, or
none, and still have a \`nextCursor\`.`,
  operatorScope: 'review',
  query: DecisionListQuery,
  response: DecisionList,
  grants: { table: { HISTORY: ['BatchGetItem'] }, indexes: { listed: ['DIRECTORY'] } },
});
