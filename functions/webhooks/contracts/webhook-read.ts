import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, refusals } from '../../shared/contract/route-parts.ts';
import { WebhookPath } from '../api/requests.ts';
import { OneWebhook } from '../api/responses.ts';
import { applicationRoute } from './common.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/api/v1/webhooks/{id}',
  summary: 'Retrieves a webhook.',
  ...applicationRoute,
  params: WebhookPath,
  response: OneWebhook,
  errors: { ...commonErrors, also: refusals },
  grants: { table: { WEBHOOK: ['GetItem'] } },
});
