import * as z from 'zod/mini';
import { ExternalId } from '../../clients/external-id.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { cursorField } from '../../shared/fields/page.ts';
import { ApplicationPath, noticeQuery, pageRoute, sessionTable } from './console-route.ts';

export const route = defineRoute({
  ...pageRoute,
  path: '/console/customers/{applicationId}/clients/{externalId}',
  summary: 'Shows a client with their subscriptions, and why each gives access or none.',
  description: 'For browsers. The newest subscription comes first.',
  params: z.object({ ...ApplicationPath.shape, externalId: ExternalId }),
  query: z.object({ ...noticeQuery, cursor: cursorField }),
  errors: { ...pageRoute.errors, also: ['not_found'] },
  grants: {
    table: { ...sessionTable, CLIENT: ['GetItem', 'Query'], SUBSCRIPTION: ['GetItem', 'Query'] },
  },
});
