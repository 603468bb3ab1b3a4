import * as z from 'zod/mini';
import {
  actionRoute,
  count,
  hidden,
  reasonBody,
  sessionTable,
} from '../../console/contracts/console-route.ts';
import { page } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { WebhookPath, webhookPath } from './paths.ts';

const WebhookAction = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('retry'),
    ...reasonBody,
    event: hidden('The id of the event.'),
    seen: count('The retries of the delivery that the page showed. The form does its work once.'),
  }),
  z.object({
    action: z.literal('test'),
    ...reasonBody,
    seen: count('The events about the webhook that the page showed. The form does its work once.'),
  }),
]);

export type WebhookAction = z.output<typeof WebhookAction>;

export const route = defineRoute({
  ...actionRoute,
  path: webhookPath,
  summary: 'Receives the forms of the page of a webhook.',
  description:
    'For browsers. For operator keys with the scope `support`. Attempts a delivery again, or sends a test event. The audit record is written in the same transaction.',
  params: WebhookPath,
  body: WebhookAction,
  otherResponses: [
    ...actionRoute.otherResponses,
    page(409, 'The webhook is not active, or was changed after the page was shown.'),
  ],
  errors: { ...actionRoute.errors, also: ['not_found', 'conflict'] },
  grants: {
    table: {
      ...sessionTable,
      WEBHOOK: ['GetItem', 'UpdateItem'],
      DELIVERY: ['GetItem', 'UpdateItem'],
      EVENT: ['PutItem'],
      AUDIT: ['PutItem'],
    },
    uses: ['webhookRetries'],
  },
});
