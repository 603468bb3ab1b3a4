import { readUser } from '../shared/accounts/users.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { listPage } from '../shared/lists/list-page.ts';
import { route } from './contracts/list.ts';
import { toUserResponse } from './present.ts';

/** Lists the users whom an operator entered, newest first. */
export async function listUsers({ query }: Input<typeof route>): Promise<Output<typeof route>> {
  const list = { applicationId: undefined, kind: 'user', statuses: [] } as const;
  const { items, nextCursor } = await listPage(
    { ...list, read: readUser, toResponse: toUserResponse },
    query,
  );
  return { users: items, ...defined({ nextCursor }) };
}

export const handler = endpoint(route, listUsers, operatorCaller);
