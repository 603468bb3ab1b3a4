import { choice, definePage, listQuery, recordErrors } from '../../console/contracts/console-route.ts';
import { pageHeaders } from '../../shared/contract/other-responses.ts';
import { matchKinds } from '../../statements/import/statement.ts';
import { ConsoleStatementPath, statementPath } from './paths.ts';

export const route = definePage(
  {
    path: statementPath,
    summary:
      'Shows a bank statement: its entries with a decision about each, and the progress of its import.',
    description: 'For browsers. For operator keys with the scope `finance`.',
    params: ConsoleStatementPath,
    responseHeaders: [...pageHeaders, 'refresh'],
    errors: recordErrors,
    grants: {
      table: {
        APP: ['GetItem'],
        BANKSTATEMENT: ['GetItem', 'BatchGetItem'],
        SUBSCRIPTION: ['BatchGetItem'],
        INVOICE: ['BatchGetItem'],
      },
    },
  },
  {
    ...listQuery,
    match: choice('Only entries with this match.', matchKinds),
    view: choice('The question before the confirmation.', ['confirm']),
  },
);
