import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors } from '../../shared/contract/route-parts.ts';
import { cursorField, limitField } from '../../shared/fields/page.ts';
import { WebhookPath } from '../api/requests.ts';
import { DeliverySchema, DeliveryStatus } from '../api/schemas.ts';
import { applicationRoute } from './common.ts';

/** A page of deliveries with the longest answers stays below 6 MB. */
const maxDeliveriesOfPage = 50;

export const defaultDeliveriesOfPage = 20;

export const route = defineRoute({
  method: 'GET',
  path: '/api/v1/webhooks/{id}/deliveries',
  summary: 'Lists the deliveries to a webhook, newest event first.',
  description: [
    'A delivery is of one event, with its attempts. Deliveries are kept for as long as their events, 30 days.',
    'With `status`, a page can have fewer deliveries than `limit`, or none, although there are more: go on while there is a',
    '`nextCursor`.',
  ].join(' '),
  ...applicationRoute,
  params: WebhookPath,
  query: z.object({
    limit: limitField(
      maxDeliveriesOfPage,
      `The most deliveries of the page, ${defaultDeliveriesOfPage} by default.`,
    ),
    cursor: cursorField,
    status: z.optional(DeliveryStatus),
  }),
  response: z.object({ deliveries: z.array(DeliverySchema), nextCursor: z.optional(z.string()) }),
  errors: { ...commonErrors, also: ['invalid_token', 'not_found'] },
  grants: { table: { WEBHOOK: ['GetItem'], DELIVERY: ['Query'] } },
});
