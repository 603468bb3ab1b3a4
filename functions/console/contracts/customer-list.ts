import { maxSearchText } from '../../operator/search/schemas.ts';
import { page } from '../../shared/contract/headers.ts';
import { statusField } from '../../shared/lists/requests.ts';
import { statuses } from '../../subscriptions/record/subscription.ts';
import { definePage, field, listQuery, periodQuery, recordErrors } from './console-route.ts';

export const route = definePage(
  {
    operationId: 'showConsoleCustomersPage',
    path: '/console/customers',
    summary: 'Shows the newest subscriptions of an application, or the applications.',
    description:
      'For browsers. A subscription leads to its page. With `client`, the page shows the clients of the application that a text names.',
    errors: recordErrors,
    otherResponses: [page(400, 'A filter is not valid.')],
    grants: {
      table: { APP: ['GetItem', 'BatchGetItem'], CLIENT: ['GetItem', 'BatchGetItem'] },
      indexes: { byName: ['NAME'], listed: ['DIRECTORY', 'LIST'] },
    },
  },
  {
    ...listQuery,
    ...periodQuery,
    application: field(
      'The id of the application whose subscriptions are shown. Without it, the page lists the applications.',
    ),
    client: field(
      'The external id or the address of a client of the application, or words of their name. The page has these clients then.',
      maxSearchText,
    ),
    status: statusField(statuses),
  },
);
