import { linksCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { isLinkId, presented } from './link.ts';
import { routes } from './routes.ts';
import { linkStore } from './store.ts';
import { targetUser } from './target-user.ts';

const readDeps = () => ({ links: linkStore });

/** Reads one link. Another application's, or another user's, is as absent as one that never was. */
export async function readLink(
  { params, headers, query, caller }: Input<typeof routes.read>,
  { links }: ReturnType<typeof readDeps>,
): Promise<Output<typeof routes.read>> {
  const owner = targetUser(caller, 'read', { headers, query });
  const link = isLinkId(params.id) ? await links.get(owner, params.id) : undefined;
  if (link === undefined) throw new ApiError('not_found');
  return { trustLink: presented(link) };
}

export const handler = endpoint(routes.read, readLink, readDeps, linksCaller);
