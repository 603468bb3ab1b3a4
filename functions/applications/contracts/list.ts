import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { nextCursor, operatorListRoute } from '../../shared/lists/list-route.ts';
import { pageFields, periodFields } from '../../shared/lists/requests.ts';

export const ListedApplication = z.object({
  _id: z.string(),
  name: z.string(),
  createdAt: z.iso.datetime(),
});

const ApplicationList = z.object({ applications: z.array(ListedApplication), nextCursor });

export const route = defineRoute({
  ...operatorListRoute,
  path: '/api/operator/applications',
  summary: 'Lists the applications, newest first.',
  description: 'A new application shows in the list within moments. No application is on two pages.',
  operatorScope: 'support',
  query: z.object({ ...periodFields('the creation', 'UTC'), ...pageFields }),
  response: ApplicationList,
  grants: { table: { APP: ['BatchGetItem'] }, indexes: { listed: ['DIRECTORY'] } },
});
