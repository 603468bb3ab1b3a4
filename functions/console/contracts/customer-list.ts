import { page } from '../../shared/contract/other-responses.ts';
import { statusField } from '../../shared/lists/requests.ts';
import { statuses } from '../../subscriptions/record/subscription.ts';
import { definePage, field, listQuery, periodQuery, recordErrors } from './console-route.ts';

export const route = definePage(
  {
    operationId: 'showConsoleCustomersPage',
    path: '/console/customers',
    summary: 'Shows the newest subscriptions of an application, or the applications.',
    description:
      'For browsers. A subscription leads to its page, and the search finds one by address, reference number or number of a document.',
    errors: recordErrors,
    otherResponses: [page(400, 'A filter is not valid.')],
    grants: {
      table: { APP: ['GetItem', 'BatchGetItem'], CLIENT: ['BatchGetItem'] },
      indexes: { listed: ['DIRECTORY', 'LIST'] },
    },
  },
  {
    ...listQuery,
    ...periodQuery,
    application: field(
      'The id of the application whose subscriptions are shown. Without it, the page lists the applications.',
    ),
    status: statusField(statuses),
  },
);
