import * as z from 'zod/mini';
import {
  ApplicationPath,
  choice,
  definePage,
  field,
  hidden,
  listQuery,
  periodQuery,
  recordErrors,
} from '../console/contracts/console-route.ts';
import { page } from '../shared/contract/headers.ts';
import type { Routes } from '../shared/contract/route.ts';
import { DeliveryStatus } from '../webhooks/api/schemas.ts';

const listPath = '/console/developers';
export const applicationPath = '/console/developers/{applicationId}';
export const webhookPath = '/console/developers/{applicationId}/webhooks/{webhookId}';

const WebhookPath = z.object({
  ...ApplicationPath.shape,
  webhookId: hidden('The id of the webhook.'),
});

export const listRoute = definePage(
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

export const showRoute = definePage(
  {
    operationId: 'showConsoleApplicationPage',
    path: applicationPath,
    summary:
      'Shows an application: its keys with their last use, its plans, its settings, its webhooks and its requests.',
    description:
      'For browsers. For operator keys with the scope `support`. The page has the forms of the actions for keys with the scope `admin`.',
    params: ApplicationPath,
    errors: recordErrors,
    grants: {
      table: {
        APP: ['GetItem'],
        RATE: ['GetItem'],
        PLAN: ['Query'],
        WEBHOOK: ['Query'],
        DELIVERY: ['Query'],
      },
      uses: ['applicationRate'],
    },
  },
  {},
);

export const webhookShowRoute = definePage(
  {
    path: webhookPath,
    summary: 'Shows a webhook with its deliveries, that of the newest event first.',
    description:
      'For browsers. For operator keys with the scope `support`. The page has the ages of the signing secrets, and never a secret.',
    params: WebhookPath,
    otherResponses: [page(400, 'The status or the place in the list is not valid.')],
    errors: recordErrors,
    grants: {
      table: {
        APP: ['GetItem'],
        WEBHOOK: ['GetItem'],
        DELIVERY: ['GetItem', 'Query'],
        EVENT: ['BatchGetItem'],
      },
    },
  },
  {
    ...listQuery,
    status: choice('Only deliveries with this status.', DeliveryStatus.options),
    event: field('The id of an event whose attempts and body are shown.', 128),
  },
);

export const routes = {
  list: listRoute,
  show: showRoute,
  'webhook-show': webhookShowRoute,
} satisfies Routes;
