import { operatorCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { reviewReadRoute } from './contracts/reviews.ts';
import { readReview } from './reviews/read-review.ts';

export const showReview: Handler<typeof reviewReadRoute> = async ({ params: { linkId }, query }) =>
  (await readReview(linkId, query)).review;

export const handler = endpoint(reviewReadRoute, showReview, operatorCaller);
