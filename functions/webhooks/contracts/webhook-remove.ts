import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, refusals } from '../../shared/contract/route-parts.ts';
import { WebhookPath } from '../api/requests.ts';
import { applicationRoute } from './common.ts';

const RemovedWebhook = z.object({ success: z.literal(true), deleted: z.string() });

export const route = defineRoute({
  method: 'DELETE',
  path: '/api/v1/webhooks/{id}',
  words: {
    title: 'Remove the webhook',
    question: 'Pending deliveries are cancelled. Remove the webhook?',
    notice: 'The webhook is removed.',
  },
  summary: 'Removes a webhook and its secrets.',
  description: 'Deliveries that wait for an attempt end: none is attempted again.',
  ...applicationRoute,
  operatorScope: 'admin',
  params: WebhookPath,
  response: RemovedWebhook,
  errors: { ...commonErrors, also: [...refusals, 'conflict'] },
  grants: { table: { WEBHOOK: ['UpdateItem', 'DeleteItem'], WEBHOOKSECRET: ['DeleteItem'] } },
});
