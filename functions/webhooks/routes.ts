import type { Routes } from '../shared/contract/route.ts';
import {
  deliveryListRoute,
  deliveryRetryRoute,
  eventListRoute,
  eventReadRoute,
} from './contracts/deliveries.ts';
import {
  webhookCreateRoute,
  webhookListRoute,
  webhookReadRoute,
  webhookRemoveRoute,
  webhookRotateRoute,
  webhookTestRoute,
  webhookUpdateRoute,
} from './contracts/webhooks.ts';

export const routes = {
  'webhook-create': webhookCreateRoute,
  'webhook-list': webhookListRoute,
  'webhook-read': webhookReadRoute,
  'webhook-update': webhookUpdateRoute,
  'webhook-remove': webhookRemoveRoute,
  'webhook-rotate': webhookRotateRoute,
  'webhook-test': webhookTestRoute,
  'delivery-list': deliveryListRoute,
  'delivery-retry': deliveryRetryRoute,
  'event-list': eventListRoute,
  'event-read': eventReadRoute,
} satisfies Routes;
