import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { described } from '../../shared/fields/described.ts';
import { lineField } from '../../shared/fields/text.ts';
import { Time } from '../../shared/fields/time.ts';
import { nextCursor, operatorListRoute } from '../../shared/lists/list-route.ts';
import { pageFields, periodFields } from '../../shared/lists/requests.ts';
import { HistoryEntry } from '../api/responses.ts';
import { decisionKinds } from '../trust-links/decision.ts';

const decision = z.enum(decisionKinds);

const DecisionListQuery = z.object({
  decision: z.optional(decision.check(described('Only these decisions.'))),
  reviewer: z.optional(
    lineField(200).check(
      z.minLength(1),
      described('Only decisions with the operator key of this id, or by the person of this name.', 'Rita'),
    ),
  ),
  ...periodFields('the decision', 'UTC'),
  ...pageFields,
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

const DecisionList = z.object({ reviews: z.array(DecidedReview), nextCursor });

export const route = defineRoute({
  ...operatorListRoute,
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
