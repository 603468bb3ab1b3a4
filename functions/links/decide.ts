import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { decided, isLinkId, presented } from './link.ts';
import { routes } from './routes.ts';
import { linkStore, reviewStore } from './store.ts';

const decideDeps = () => ({ reviews: reviewStore, links: linkStore, nowMs });

/** Decides on a link as it was seen: of two reviewers at once one decides, and a change in between stops both. */
export async function decideReview(
  { params: { linkId }, body, caller }: Input<typeof routes.decide>,
  { reviews, links, nowMs }: ReturnType<typeof decideDeps>,
): Promise<Output<typeof routes.decide>> {
  const link = isLinkId(linkId) ? await reviews.find(linkId) : undefined;
  if (link === undefined) throw new ApiError('not_found');
  const by = { kind: 'operator', id: caller.keyId } as const;
  const { decision, reason, revision } = body;
  const seen = { decision, revision, ...defined({ reason }) };
  const change = decided(link, seen, { by, nowMs: nowMs() });
  if (change === undefined || (await links.change(link, change)) === 'outdated') {
    if ((await links.get(link, linkId)) === undefined) throw new ApiError('not_found');
    throw new ApiError('conflict', { details: { revision: 'is not the one to decide on any more' } });
  }
  return { trustLink: presented(change.next) };
}

export const handler = endpoint(routes.decide, decideReview, decideDeps, operatorCaller);
