import * as z from 'zod/mini';
import { choice, noticeQuery, pageRoute, sessionTable } from '../../console/contracts/console-route.ts';
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
    match: choice('Only entries with this match.', matchKinds),
    view: choice('The question before the confirmation.', ['confirm']),
  }),
  responseHeaders: [...pageRoute.responseHeaders, 'refresh'],
  errors: { ...pageRoute.errors, also: ['not_found'] },
  grants: {
    table: {
      ...sessionTable,
      APP: ['GetItem'],
      BANKSTATEMENT: ['GetItem', 'BatchGetItem'],
      SUBSCRIPTION: ['BatchGetItem'],
      INVOICE: ['BatchGetItem'],
    },
  },
});
