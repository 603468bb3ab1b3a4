import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, idempotencyErrors, refusals } from '../../shared/contract/route-parts.ts';
import { described } from '../../shared/fields/described.ts';
import { IdempotencyHeaders } from '../../shared/fields/idempotency-key.ts';
import { WebhookPath } from '../api/requests.ts';
import { applicationRoute } from './common.ts';

const RequestedTest = z.object({
  eventId: z.string().check(described('The event `webhook.test`, which only this webhook receives.')),
  deliveryId: z.string(),
});

export const route = defineRoute({
  method: 'POST',
  path: '/api/v1/webhooks/{id}/test',
  words: { title: 'Send a test event', notice: 'A test event is on its way.' },
  summary: 'Sends a test event to a webhook.',
  description: [
    'Records an event `webhook.test`, which only this webhook receives, whatever its `types` are.',
    'It is delivered and retried like any other. While the webhook is not active, the request is a `conflict`.',
  ].join(' '),
  ...applicationRoute,
  params: WebhookPath,
  headers: IdempotencyHeaders,
  throttle: { ratePerSecond: 20, burst: 40 },
  response: RequestedTest,
  status: 202,
  errors: { ...commonErrors, also: [...refusals, 'conflict', ...idempotencyErrors] },
  grants: {
    table: {
      WEBHOOK: ['GetItem', 'UpdateItem'],
      EVENT: ['PutItem'],
      IDEMPOTENCY: ['GetItem', 'PutItem'],
    },
  },
});
