import * as z from 'zod/mini';
import { field, noticeQuery, pageRoute, sessionTable } from '../../console/contracts/console-route.ts';
import { page } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { cursorField } from '../../shared/fields/page.ts';
import { listPath } from './paths.ts';

export const route = defineRoute({
  ...pageRoute,
  path: listPath,
  operationId: 'showConsoleDevelopersPage',
  summary: 'Shows the applications, newest first.',
  description: 'For browsers. For operator keys with the scope `support`. Empty filters are ignored.',
  query: z.object({
    ...noticeQuery,
    cursor: cursorField,
    from: field('The first day or time of the creation.'),
    to: field('The last day of the creation, which is included; or a time, which is not.'),
  }),
  otherResponses: [...pageRoute.otherResponses, page(400, 'A filter is not valid.')],
  grants: { table: { ...sessionTable, APP: ['BatchGetItem'] }, indexes: { listed: ['DIRECTORY'] } },
});
