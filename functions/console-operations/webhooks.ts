import { operationsEndpoint } from '../console/operations/perform.ts';
import { retryDelivery } from '../webhooks/delivery-retry.ts';
import { createWebhook } from '../webhooks/webhook-create.ts';
import { removeWebhook } from '../webhooks/webhook-remove.ts';
import { rotateSecret } from '../webhooks/webhook-rotate.ts';
import { testWebhook } from '../webhooks/webhook-test.ts';
import { updateWebhook } from '../webhooks/webhook-update.ts';
import { commands, route } from './contracts/webhooks.ts';

export const handler = operationsEndpoint(route, commands, {
  'webhook-create': createWebhook,
  'webhook-update': updateWebhook,
  'webhook-remove': removeWebhook,
  'webhook-rotate': rotateSecret,
  'webhook-test': testWebhook,
  'delivery-retry': retryDelivery,
});
