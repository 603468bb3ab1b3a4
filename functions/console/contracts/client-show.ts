import * as z from 'zod/mini';
import { ExternalId } from '../../clients/external-id.ts';
import { ApplicationPath, definePage, listQuery, recordErrors } from './console-route.ts';

export const route = definePage(
  {
    path: '/console/customers/{applicationId}/clients/{externalId}',
    summary: 'Shows a client with their subscriptions, and why each gives access or none.',
    description: 'For browsers. The newest subscription comes first.',
    params: z.object({ ...ApplicationPath.shape, externalId: ExternalId }),
    errors: recordErrors,
    grants: { table: { APP: ['GetItem'], CLIENT: ['GetItem', 'Query'], SUBSCRIPTION: ['GetItem', 'Query'] } },
  },
  listQuery,
);
