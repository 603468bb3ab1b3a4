import type { Routes } from '../shared/contract/route.ts';
import { route as deliveryList } from './contracts/delivery-list.ts';
import { route as deliveryRetry } from './contracts/delivery-retry.ts';
import { route as eventList } from './contracts/event-list.ts';
import { route as eventRead } from './contracts/event-read.ts';
import { route as webhookCreate } from './contracts/webhook-create.ts';
import { route as webhookList } from './contracts/webhook-list.ts';
import { route as webhookRead } from './contracts/webhook-read.ts';
import { route as webhookRemove } from './contracts/webhook-remove.ts';
import { route as webhookRotate } from './contracts/webhook-rotate.ts';
import { route as webhookTest } from './contracts/webhook-test.ts';
import { route as webhookUpdate } from './contracts/webhook-update.ts';

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
