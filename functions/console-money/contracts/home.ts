import * as z from 'zod/mini';
import { noticeQuery, pageRoute, sessionTable } from '../../console/contracts/console-route.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { cursorField } from '../../shared/fields/page.ts';

export const route = defineRoute({
  ...pageRoute,
  path: '/console/money',
  operationId: 'showConsoleMoneyApplicationsPage',
  summary: 'Shows the applications.',
  description: 'For browsers. For operator keys with the scope `finance`.',
  query: z.object({ ...noticeQuery, cursor: cursorField }),
  grants: { table: { ...sessionTable, APP: ['BatchGetItem'] }, indexes: { listed: ['DIRECTORY'] } },
});
