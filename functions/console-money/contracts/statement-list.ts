import {
  ApplicationPath,
  definePage,
  listQuery,
  periodQuery,
  recordErrors,
} from '../../console/contracts/console-route.ts';
import { page } from '../../shared/contract/other-responses.ts';
import { indexes } from '../../shared/lists/list-route.ts';
import { statementsPath } from './paths.ts';

export const route = definePage(
  {
    operationId: 'showConsoleStatementsPage',
    path: statementsPath,
    summary: 'Shows the bank statements of an application, and a form for another one.',
    description: 'For browsers. For operator keys with the scope `finance`.',
    params: ApplicationPath,
    errors: recordErrors,
    otherResponses: [page(400, 'A filter is not valid.')],
    grants: { table: { APP: ['GetItem'], BANKSTATEMENT: ['BatchGetItem'] }, indexes },
  },
  { ...listQuery, ...periodQuery },
);
