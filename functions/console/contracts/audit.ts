import * as z from 'zod/mini';
import { page } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { csvDownload, field, listQuery, noticeQuery, pageRoute, sessionTable } from './console-route.ts';

export const route = defineRoute({
  ...pageRoute,
  path: '/console/audit',
  operationId: 'showConsoleAuditPage',
  summary: 'Shows everything that operators changed, newest first.',
  description:
    'For browsers. Shows what `GET /api/operator/audit` lists, to operator keys with the scope `admin`. Empty filters are ignored.',
  query: z.object({
    ...noticeQuery,
    ...listQuery,
    from: field('The first day or time.'),
    to: field('The last day, which is included; or a time, which is not.'),
    keyId: field('The id of an operator key.'),
    objectId: field('The id of an object.'),
    applicationId: field('The id of an application.'),
    action: field('The name of an action.'),
  }),
  otherResponses: [...pageRoute.otherResponses, page(400, 'A filter is not valid.'), csvDownload],
  grants: { table: { ...sessionTable, AUDIT: ['BatchGetItem'] }, indexes: { listed: ['AUDIT'] } },
});
