import * as z from 'zod/mini';
import { field, noticeQuery, pageRoute, sessionTable } from '../../console/contracts/console-route.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { cursorField } from '../../shared/fields/page.ts';
import { matchKinds } from '../../statements/import/statement.ts';
import { ConsoleStatementPath, statementPath } from './paths.ts';

export const route = defineRoute({
  ...pageRoute,
  path: statementPath,
  summary: 'Shows a bank statement: its entries with a decision about each, and the progress of its import.',
  description: 'For browsers. For operator keys with the scope `finance`.',
  params: ConsoleStatementPath,
  query: z.object({
    ...noticeQuery,
    cursor: cursorField,
    match: z.optional(z.enum(matchKinds).check(z.meta({ description: 'Only entries with this match.' }))),
    view: field('`confirm` for the question before the confirmation.', 8),
  }),
  responseHeaders: [...pageRoute.responseHeaders, 'refresh'],
  errors: { ...pageRoute.errors, also: ['not_found'] },
  grants: { table: { ...sessionTable, BANKSTATEMENT: ['GetItem', 'BatchGetItem'] } },
});
