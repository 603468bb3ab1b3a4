import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, idempotencyErrors } from '../../shared/contract/route-parts.ts';
import { described } from '../../shared/fields/described.ts';
import { IdempotencyHeaders } from '../../shared/fields/idempotency-key.ts';
import { DeliverySchema } from '../api/schemas.ts';
import { applicationRoute } from './common.ts';

export const route = defineRoute({
  method: 'POST',
  path: '/api/v1/deliveries/{id}/retry',
  words: { title: 'Retry the delivery', notice: 'The delivery is attempted again.' },
  summary: 'Attempts a delivery again.',
  description: [
    'The attempts begin anew: the first one is made at once, and after a failure the others follow as they do for a new',
    'event. A delivery that has succeeded is made again. While an attempt is due, a further request changes nothing. While',
    'the webhook is not active, the request is a `conflict`: enable it first.',
  ].join(' '),
  ...applicationRoute,
  params: z.object({
    id: z.string().check(z.minLength(1), z.maxLength(128), described('The `_id` of the delivery.')),
  }),
  headers: IdempotencyHeaders,
  throttle: { ratePerSecond: 20, burst: 40 },
  response: z.object({ delivery: DeliverySchema }),
  status: 202,
  errors: { ...commonErrors, also: ['invalid_token', 'not_found', 'conflict', ...idempotencyErrors] },
  grants: {
    table: { WEBHOOK: ['GetItem'], DELIVERY: ['GetItem', 'UpdateItem'], IDEMPOTENCY: ['GetItem', 'PutItem'] },
    uses: ['webhookRetries'],
  },
});
