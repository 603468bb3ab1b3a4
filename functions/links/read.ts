import { linksCaller } from '../shared/auth/bearer.ts';
import { endpoint, found, type Handler } from '../shared/lambda/endpoint.ts';
import { targetUser } from './api/target-user.ts';
import { readRoute } from './contracts/links.ts';
import { isLinkId, toLinkResponse } from './trust-links/link.ts';
import { linkStore } from './trust-links/store.ts';

/** Reads one link. A link of another application or user counts as not found. */
export const readLink: Handler<typeof readRoute> = async ({ params, headers, query, caller }) => {
  const owner = targetUser(caller, 'read', { headers, query });
  const link = found(isLinkId(params.id) ? await linkStore.get(owner, params.id) : undefined);
  return { trustLink: toLinkResponse(link) };
};

export const handler = endpoint(readRoute, readLink, linksCaller);
