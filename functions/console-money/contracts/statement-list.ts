import * as z from 'zod/mini';
import {
  ApplicationPath,
  noticeQuery,
  pageRoute,
  sessionTable,
} from '../../console/contracts/console-route.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { cursorField } from '../../shared/fields/page.ts';
import { indexes } from '../../shared/lists/list-route.ts';
import { statementsPath } from './paths.ts';

export const route = defineRoute({
  ...pageRoute,
  path: statementsPath,
  operationId: 'showConsoleStatementsPage',
  summary: 'Shows the bank statements of an application, and a form for another one.',
  description: 'For browsers. For operator keys with the scope `finance`.',
  params: ApplicationPath,
  query: z.object({ ...noticeQuery, cursor: cursorField }),
  errors: { ...pageRoute.errors, also: ['not_found'] },
  grants: { table: { ...sessionTable, APP: ['GetItem'], BANKSTATEMENT: ['BatchGetItem'] }, indexes },
});
