import type { Routes } from '../shared/contract/route.ts';
import {
  deliveryListRoute as deliveryList,
  deliveryRetryRoute as deliveryRetry,
  eventListRoute as eventList,
  eventReadRoute as eventRead,
} from './contracts/deliveries.ts';
import {
  webhookCreateRoute as webhookCreate,
  webhookListRoute as webhookList,
  webhookReadRoute as webhookRead,
  webhookRemoveRoute as webhookRemove,
  webhookRotateRoute as webhookRotate,
  webhookTestRoute as webhookTest,
  webhookUpdateRoute as webhookUpdate,
} from './contracts/webhooks.ts';

export const routes = {
  'webhook-create': webhookCreate,
  'webhook-list': webhookList,
  'webhook-read': webhookRead,
  'webhook-update': webhookUpdate,
  'webhook-remove': webhookRemove,
  'webhook-rotate': webhookRotate,
  'webhook-test': webhookTest,
  'delivery-list': deliveryList,
  'delivery-retry': deliveryRetry,
  'event-list': eventList,
  'event-read': eventRead,
} satisfies Routes;
