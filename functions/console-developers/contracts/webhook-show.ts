import * as z from 'zod/mini';
import {
  choice,
  field,
  noticeQuery,
  pageRoute,
  sessionTable,
} from '../../console/contracts/console-route.ts';
import { page } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { cursorField } from '../../shared/fields/page.ts';
import { DeliveryStatus } from '../../webhooks/api/schemas.ts';
import { WebhookPath, webhookPath } from './paths.ts';

export const route = defineRoute({
  ...pageRoute,
  path: webhookPath,
  summary: 'Shows a webhook with its deliveries, that of the newest event first.',
  description:
    'For browsers. For operator keys with the scope `support`. The page has the ages of the signing secrets, and never a secret.',
  params: WebhookPath,
  query: z.object({
    ...noticeQuery,
    cursor: cursorField,
    status: choice('Only deliveries with this status.', DeliveryStatus.options),
    event: field('The id of an event whose attempts and body are shown.', 128),
  }),
  otherResponses: [
    ...pageRoute.otherResponses,
    page(400, 'The status or the place in the list is not valid.'),
  ],
  errors: { ...pageRoute.errors, also: ['not_found'] },
  grants: {
    table: {
      ...sessionTable,
      APP: ['GetItem'],
      WEBHOOK: ['GetItem'],
      DELIVERY: ['GetItem', 'Query'],
      EVENT: ['BatchGetItem'],
    },
  },
});
