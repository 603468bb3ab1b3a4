import type { Routes } from '../shared/contract/route.ts';
import * as deliveries from './contracts/deliveries.ts';
import * as webhooks from './contracts/webhooks.ts';

export const routes = {
  'webhook-create': webhooks.webhookCreateRoute,
  'webhook-list': webhooks.webhookListRoute,
  'webhook-read': webhooks.webhookReadRoute,
  'webhook-update': webhooks.webhookUpdateRoute,
  'webhook-remove': webhooks.webhookRemoveRoute,
  'webhook-rotate': webhooks.webhookRotateRoute,
  'webhook-test': webhooks.webhookTestRoute,
  'delivery-list': deliveries.deliveryListRoute,
  'delivery-retry': deliveries.deliveryRetryRoute,
  'event-list': deliveries.eventListRoute,
  'event-read': deliveries.eventReadRoute,
} satisfies Routes;
