import { submitRoute } from '../../console/contracts/operations.ts';
import { deliveryRetryRoute } from '../../webhooks/contracts/deliveries.ts';
import {
  webhookCreateRoute,
  webhookRemoveRoute,
  webhookRotateRoute,
  webhookTestRoute,
  webhookUpdateRoute,
} from '../../webhooks/contracts/webhooks.ts';

export const commands = {
  'webhook-create': webhookCreateRoute,
  'webhook-update': webhookUpdateRoute,
  'webhook-remove': webhookRemoveRoute,
  'webhook-rotate': webhookRotateRoute,
  'webhook-test': webhookTestRoute,
  'delivery-retry': deliveryRetryRoute,
};

export const route = submitRoute('webhooks', commands, 'webhooks and their deliveries');
