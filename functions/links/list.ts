import { linksCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { targetUser } from './api/target-user.ts';
import { listRoute } from './contracts/links.ts';
import { linkPage } from './trust-links/link-page.ts';

export const listLinks: Handler<typeof listRoute> = async ({ headers, query, caller }) => {
  const owner = targetUser(caller, 'read', { headers, query });
  const { items, nextCursor } = await linkPage(owner, query);
  return { trustLinks: items, ...defined({ nextCursor }) };
};

export const handler = endpoint(listRoute, listLinks, linksCaller);
