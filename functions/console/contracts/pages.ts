import * as z from 'zod/mini';
import { ExternalId } from '../../clients/external-id.ts';
import { searchGrants } from '../../operator/search/grants.ts';
import { maxSearchText } from '../../operator/search/schemas.ts';
import { page } from '../../shared/contract/headers.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { cursorField } from '../../shared/fields/page.ts';
import { statusField } from '../../shared/lists/requests.ts';
import { statuses } from '../../subscriptions/record/subscription.ts';
import {
  ApplicationPath,
  CustomerPath,
  choice,
  csvDownload,
  customerPath,
  definePage,
  field,
  hidden,
  listQuery,
  pageRoute,
  periodQuery,
  recordErrors,
  sessionTable,
} from './console-route.ts';

export const homeRoute = definePage(
  {
    operationId: 'showConsolePage',
    path: '/console',
    summary: 'Shows operators the work that is waiting.',
    description:
      'For browsers. The start page of the console. People sign in with an operator key, and its scopes decide which pages they see.',
    grants: { indexes: { queue: ['QUEUE'], due: ['GIVENUP'] } },
  },
  {},
);

export const searchRoute = definePage(
  {
    operationId: 'showConsoleSearchPage',
    path: '/console/search',
    summary: 'Shows the records that an id, a number or an address names.',
    description: 'For browsers. Finds what `GET /api/operator/search` finds for the same operator key.',
    grants: {
      table: { ...searchGrants.table, OPERATOR: ['GetItem', 'BatchGetItem'] },
      indexes: searchGrants.indexes,
    },
  },
  {
    sort: listQuery.sort,
    q: field('An id, a reference number, the number of a document, or an address.', maxSearchText),
    application: field('The id of the application whose records are searched. Empty for the records of all.'),
  },
);

export const customerListRoute = definePage(
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

export const customerShowRoute = definePage(
  {
    path: customerPath,
    summary: 'Shows a subscription: why it gives access or none, its records, and what operators can do.',
    description:
      'For browsers. The page has the client, the timeline, the invoices, the payments and, with the scope `support`, the mails and the events of the latest changes. The timeline names the operators who made a change.',
    params: CustomerPath,
    errors: recordErrors,
    grants: {
      table: {
        SUBSCRIPTION: ['GetItem', 'Query'],
        CLIENT: ['GetItem', 'BatchGetItem'],
        APP: ['GetItem'],
        AUDIT: ['Query'],
        PAYMENT: ['GetItem'],
        EVENT: ['BatchGetItem'],
      },
      indexes: { listed: ['EVENT'] },
    },
  },
  { cursor: cursorField },
);

export const customerDocumentRoute = defineRoute({
  ...pageRoute,
  path: `${customerPath}/documents/{documentId}`,
  operationId: 'downloadConsoleDocument',
  summary: 'Returns an invoice or a credit note of a subscription as PDF.',
  description: 'For browsers, whose `Accept` begins with `text/html`. The bytes are those of the API.',
  params: z.extend(CustomerPath, {
    documentId: hidden('The id of an invoice or a credit note of the subscription.'),
  }),
  responseHeaders: ['vary', 'content-disposition', 'repr-digest', 'referrer-policy'],
  produces: 'application/pdf',
  errors: recordErrors,
  grants: {
    table: {
      ...sessionTable,
      INVOICE: ['GetItem'],
      SUBSCRIPTION: ['GetItem'],
      DOCUMENT: ['GetItem'],
    },
    files: ['invoice-fonts.bin', 'console.js'],
  },
});

export const clientShowRoute = definePage(
  {
    path: '/console/customers/{applicationId}/clients/{externalId}',
    summary: 'Shows a client with their subscriptions, and why each gives access or none.',
    description: 'For browsers. The newest subscription comes first.',
    params: z.object({ ...ApplicationPath.shape, externalId: ExternalId }),
    errors: recordErrors,
    grants: { table: { APP: ['GetItem'], CLIENT: ['GetItem', 'Query'], SUBSCRIPTION: ['GetItem', 'Query'] } },
  },
  listQuery,
);

export const auditRoute = definePage(
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
