import * as z from 'zod/mini';
import { ReviewPath } from '../../links/api/requests.ts';
import { reviewDecideRoute } from '../../links/contracts/reviews.ts';
import { mergedGrants } from '../../shared/contract/grants.ts';
import { page } from '../../shared/contract/headers.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { linesField } from '../../shared/fields/text.ts';
import { reasonNames } from '../reviews/reasons.ts';
import { actionRoute, choice, count, emptyOr, formBody, hidden, reasonBody } from './console-route.ts';
import { reviewGrants } from './review-show.ts';

const revision = count('The revision of the link that the page showed.');

export const route = defineRoute({
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
