import { operatorCaller } from '../shared/auth/bearer.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { route } from './contracts/review-read.ts';
import { readReview } from './reviews/read-review.ts';

/** Reads a link with its user, the user's social accounts, and a page of its history. */
export async function showReview({
  params: { linkId },
  query,
}: Input<typeof route>): Promise<Output<typeof route>> {
  return (await readReview(linkId, query)).review;
}

export const handler = endpoint(route, showReview, operatorCaller);
