import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { described } from '../../shared/fields/described.ts';
import { linesField } from '../../shared/fields/text.ts';
import { ReviewPath } from '../api/requests.ts';
import { OneLink } from '../api/responses.ts';
import { decisionKinds } from '../trust-links/decision.ts';

const ReviewDecision = z
  .object({
    decision: z
      .enum(decisionKinds)
      .check(
        described(
          '`withdrawn`: a verified or rejected link is pending again, with priority, and its application receives `link.pending`.',
        ),
      ),
    reason: z.optional(
      linesField(1000).check(z.minLength(1), described('Why, for the history. Required with `withdrawn`.')),
    ),
    revision: z
      .int()
      .check(
        z.gte(1),
        described('The `revision` that was reviewed. The request fails if the link has changed since.'),
      ),
  })
  .check(
    z.refine(({ decision, reason }) => decision !== 'withdrawn' || (reason ?? '').trim() !== '', {
      path: ['reason'],
      error: 'is required to withdraw a decision',
    }),
  );

export const route = defineRoute({
  method: 'POST',
  path: '/api/operator/reviews/{linkId}',
  summary: 'Verifies or rejects a link at the revision that was reviewed, or withdraws that decision.',
  description: `\
The request fails if the link was changed, reviewed or removed since that \`revision\`. A pending link can be verified or rejected. A
verified or rejected link can only have its decision withdrawn, by any reviewer.`,
  auth: 'operator',
  operatorScope: 'review',
  params: ReviewPath,
  body: ReviewDecision,
  response: OneLink,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found', 'review_refused'] },
  grants: {
    table: { LINK: ['GetItem', 'PutItem'], HISTORY: ['PutItem', 'Query'], EVENT: ['PutItem'] },
    indexes: { byLink: [] },
  },
});
