import { operatorCaller } from '../shared/auth/bearer.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { route } from './contracts/review-read.ts';
import { readReview } from './reviews/read-review.ts';

export async function showReview({
  params: { linkId },
  query,
}: Input<typeof route>): Promise<Output<typeof route>> {
  return (await readReview(linkId, query)).review;
}

export const handler = endpoint(route, showReview, operatorCaller);
