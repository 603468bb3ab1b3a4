import { definePage, listQuery, periodQuery } from '../../console/contracts/console-route.ts';
import { page } from '../../shared/contract/other-responses.ts';

export const route = definePage(
  {
    operationId: 'showConsoleMoneyApplicationsPage',
    path: '/console/money',
    summary: 'Shows the applications.',
    description: 'For browsers. For operator keys with the scope `finance`.',
    otherResponses: [page(400, 'A filter is not valid.')],
    grants: { table: { APP: ['BatchGetItem'] }, indexes: { listed: ['DIRECTORY'] } },
  },
  { ...listQuery, ...periodQuery },
);
