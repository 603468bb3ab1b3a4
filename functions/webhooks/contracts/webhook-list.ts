import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, refusals } from '../../shared/contract/route-parts.ts';
import { WebhookSchema } from '../endpoints/schema.ts';
import { applicationRoute } from './common.ts';

const WebhookList = z.object({ webhooks: z.array(WebhookSchema) });

export const route = defineRoute({
  method: 'GET',
  path: '/api/v1/webhooks',
  summary: 'Lists the webhooks of the application.',
  description:
    'Lists those of the kind of key that sends the request, at most ten, oldest first. An operator sees those of both kinds.',
  ...applicationRoute,
  response: WebhookList,
  errors: { ...commonErrors, also: refusals },
  grants: { table: { WEBHOOK: ['Query'] } },
});
