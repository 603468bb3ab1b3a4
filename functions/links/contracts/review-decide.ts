import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { described } from '../../shared/fields/described.ts';
import { linesField, notBlank } from '../../shared/fields/text.ts';
import { ReviewPath } from '../api/requests.ts';
import { OneLink } from '../api/responses.ts';

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
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found', 'conflict'] },
  grants: {
    table: { LINK: ['GetItem', 'PutItem'], HISTORY: ['PutItem', 'Query'], EVENT: ['PutItem'] },
    indexes: { byLink: [] },
  },
});
