import * as z from 'zod/mini';
import { ReviewPath } from '../../links/api/requests.ts';
import { page } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { linesField } from '../../shared/fields/text.ts';
import { actRoute, field, formBody } from './console-route.ts';
import { reviewGrants } from './review-show.ts';

export const route = defineRoute({
  ...actRoute,
  path: '/console/reviews/{linkId}',
  summary: 'Verifies or rejects a link, or takes over the claim of another reviewer.',
  description: [
    'For browsers. A decision leads to the next unclaimed link. It is refused when the link has changed since the page was',
    'shown, or when another reviewer has claimed it.',
  ].join('\n'),
  params: ReviewPath,
  body: z.object({
    ...formBody,
    step: field('`verify`, `reject` or `take-over`.'),
    revision: field('The revision of the link that the page showed.', 9),
    reason: field('The name of a reason of the list.'),
    words: z.optional(
      linesField(500).check(z.meta({ description: 'The reason in the words of the reviewer.' })),
    ),
    holder: field('The id of the operator key whose claim is taken over.'),
  }),
  otherResponses: [
    ...actRoute.otherResponses,
    page(
      409,
      'The link has changed, or another reviewer has claimed it. The page shows its status. Nothing was decided.',
    ),
    page(422, 'The rejection has no reason. The page asks for one.'),
  ],
  errors: { ...actRoute.errors, also: ['not_found'] },
  grants: {
    table: {
      ...reviewGrants.table,
      AUDIT: ['PutItem'],
      EVENT: ['PutItem'],
      HISTORY: ['Query', 'PutItem'],
      LINK: ['GetItem', 'Query', 'PutItem'],
      REVIEWCLAIM: ['BatchGetItem', 'UpdateItem', 'DeleteItem'],
    },
    indexes: reviewGrants.indexes,
    files: reviewGrants.files,
  },
});
