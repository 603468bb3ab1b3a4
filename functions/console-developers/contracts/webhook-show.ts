import { choice, definePage, field, listQuery, recordErrors } from '../../console/contracts/console-route.ts';
import { page } from '../../shared/contract/other-responses.ts';
import { DeliveryStatus } from '../../webhooks/api/schemas.ts';
import { WebhookPath, webhookPath } from './paths.ts';

export const route = definePage(
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
