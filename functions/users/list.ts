import type { output } from 'zod/mini';
import { readUser } from '../shared/accounts/users.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { type Columns, listReply } from '../shared/lists/csv.ts';
import { indexedPage } from '../shared/lists/indexed-list.ts';
import { ofDirectory } from '../shared/lists/partitions.ts';
import { listRoute } from './contracts/users.ts';
import { toUserResponse } from './present.ts';
import type { OneUser } from './schemas.ts';

const userColumns: Columns<output<typeof OneUser>['user']> = {
  userId: ({ userId }) => userId,
  email: ({ email }) => email,
  name: ({ name }) => name,
  status: ({ status }) => status,
  verified: ({ verified }) => verified,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
};

/** Lists the users whom an operator entered, newest first. */
export async function listUsers(request: Input<typeof listRoute>): Promise<Reply> {
  const list = { source: ofDirectory('user'), read: readUser, toResponse: toUserResponse };
  const page = await indexedPage(list, request.query);
  return listReply(request, listRoute, 'users', page, userColumns);
}

export const handler = endpoint(listRoute, listUsers, operatorCaller);
