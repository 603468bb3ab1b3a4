import { definePage, listQuery, periodQuery } from '../../console/contracts/console-route.ts';
import { page } from '../../shared/contract/other-responses.ts';
import { listPath } from './paths.ts';

export const route = definePage(
  {
    operationId: 'showConsoleDevelopersPage',
    path: listPath,
    summary: 'Shows the applications, newest first.',
    description: 'For browsers. For operator keys with the scope `support`. Empty filters are ignored.',
    otherResponses: [page(400, 'A filter is not valid.')],
    grants: { table: { APP: ['BatchGetItem'] }, indexes: { listed: ['DIRECTORY'] } },
  },
  { ...listQuery, ...periodQuery },
);
