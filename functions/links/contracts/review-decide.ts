import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { linesField } from '../../shared/fields/text.ts';
import { ReviewPath } from '../api/requests.ts';
import { OneLink } from '../api/responses.ts';

const ReviewDecision = z.object({
  decision: z.enum(['verified', 'rejected']),
  reason: z.optional(linesField(1000).check(z.minLength(1))),
  revision: z.int().check(
    z.gte(1),
    z.meta({
      description: 'The `revision` that was reviewed. The request fails if the link has changed since.',
    }),
  ),
});

export const route = defineRoute({
  method: 'POST',
  path: '/api/operator/reviews/{linkId}',
  summary: 'Verifies or rejects a link at the revision that was reviewed.',
  description: 'The request fails if the link was changed, reviewed or removed since that `revision`.',
  auth: 'operator',
  operatorScope: 'review',
  params: ReviewPath,
  body: ReviewDecision,
  response: OneLink,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found', 'conflict'] },
  grants: {
    table: { LINK: ['GetItem', 'PutItem'], HISTORY: ['PutItem'], EVENT: ['PutItem'] },
    indexes: { byLink: [] },
  },
});
