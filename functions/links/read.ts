import { linksCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { targetUser } from './api/target-user.ts';
import { routes } from './routes.ts';
import { isLinkId, toLinkResponse } from './trust-links/link.ts';
import { linkStore } from './trust-links/store.ts';

const readDeps = () => ({ links: linkStore });

/** Reads one link. A link of another application or user counts as not found. */
export async function readLink(
  { params, headers, query, caller }: Input<typeof routes.read>,
  { links }: ReturnType<typeof readDeps>,
): Promise<Output<typeof routes.read>> {
  const owner = targetUser(caller, 'read', { headers, query });
  const link = isLinkId(params.id) ? await links.get(owner, params.id) : undefined;
  if (link === undefined) throw new ApiError('not_found');
  return { trustLink: toLinkResponse(link) };
}

export const handler = endpoint(routes.read, readLink, readDeps, linksCaller);
