import * as z from 'zod/mini';
import { ExternalId } from '../../clients/external-id.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { field, noticeQuery, pageRoute, sessionTable } from './console-route.ts';
import { applicationIdParam } from './customer-path.ts';

export const route = defineRoute({
  ...pageRoute,
  path: '/console/customers/{applicationId}/clients/{externalId}',
  summary: 'Shows a client with their subscriptions, and why each gives access or none.',
  description: 'For browsers. The newest subscription comes first.',
  params: z.object({ applicationId: applicationIdParam, externalId: ExternalId }),
  query: z.object({
    ...noticeQuery,
    cursor: field('The place in the list at which the page begins.', 2_048),
  }),
  errors: { ...pageRoute.errors, also: ['not_found'] },
  grants: {
    table: { ...sessionTable, CLIENT: ['GetItem', 'Query'], SUBSCRIPTION: ['GetItem', 'Query'] },
  },
});
