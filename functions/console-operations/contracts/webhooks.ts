import { submitRoute } from '../../console/contracts/operations.ts';
import { deliveryRetryRoute as deliveryRetry } from '../../webhooks/contracts/deliveries.ts';
import {
  webhookCreateRoute as webhookCreate,
  webhookRemoveRoute as webhookRemove,
  webhookRotateRoute as webhookRotate,
  webhookTestRoute as webhookTest,
  webhookUpdateRoute as webhookUpdate,
} from '../../webhooks/contracts/webhooks.ts';

export const commands = {
  'webhook-create': webhookCreate,
  'webhook-update': webhookUpdate,
  'webhook-remove': webhookRemove,
  'webhook-rotate': webhookRotate,
  'webhook-test': webhookTest,
  'delivery-retry': deliveryRetry,
};

export const route = submitRoute('webhooks', commands, 'webhooks and their deliveries');
