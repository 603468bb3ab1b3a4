import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { Time } from '../../shared/fields/time.ts';
import { pageFields } from '../api/requests.ts';
import { nextCursor } from '../api/responses.ts';

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

export const route = defineRoute({
  method: 'GET',
  path: '/api/operator/reviews',
  summary: 'Lists the links in the review queue: priority first, then the longest waiting.',
  description: 'The list is eventually consistent: a recent submission or review may not be reflected yet.',
  auth: 'operator',
  operatorScope: 'review',
  query: ReviewListQuery,
  response: ReviewQueue,
  errors: { ...unlimitedErrors, also: ['invalid_token'] },
  grants: { indexes: { queue: ['QUEUE'] } },
});
