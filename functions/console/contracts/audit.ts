import { page } from '../../shared/contract/headers.ts';
import { choice, csvDownload, definePage, field, listQuery, periodQuery } from './console-route.ts';

export const route = definePage(
  {
    operationId: 'showConsoleAuditPage',
    path: '/console/audit',
    summary: 'Shows everything that operators changed, newest first.',
    description:
      'For browsers. Shows what `GET /api/operator/audit` lists, to operator keys with the scope `admin`. Empty filters are ignored.',
    otherResponses: [page(400, 'A filter is not valid.'), csvDownload],
    grants: { table: { AUDIT: ['BatchGetItem'] }, indexes: { listed: ['AUDIT'] } },
  },
  {
    ...listQuery,
    ...periodQuery,
    format: choice('A file with the records of the page and those after it.', ['csv']),
    keyId: field('The id of an operator key.'),
    objectId: field('The id of an object.'),
    applicationId: field('The id of an application.'),
    action: field('The name of an action.'),
  },
);
