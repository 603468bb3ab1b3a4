import { submitRoute } from '../../console/contracts/operations.ts';
import { route as deliveryRetry } from '../../webhooks/contracts/delivery-retry.ts';
import { route as webhookCreate } from '../../webhooks/contracts/webhook-create.ts';
import { route as webhookRemove } from '../../webhooks/contracts/webhook-remove.ts';
import { route as webhookRotate } from '../../webhooks/contracts/webhook-rotate.ts';
import { route as webhookTest } from '../../webhooks/contracts/webhook-test.ts';
import { route as webhookUpdate } from '../../webhooks/contracts/webhook-update.ts';

export const commands = {
  'webhook-create': webhookCreate,
  'webhook-update': webhookUpdate,
  'webhook-remove': webhookRemove,
  'webhook-rotate': webhookRotate,
  'webhook-test': webhookTest,
  'delivery-retry': deliveryRetry,
};

export const route = submitRoute('webhooks', commands, 'webhooks and their deliveries');
