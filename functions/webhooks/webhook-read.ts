import { applicationCaller } from '../shared/auth/bearer.ts';
import { endpoint, found, type Handler } from '../shared/lambda/endpoint.ts';
import { webhookReadRoute } from './contracts/webhooks.ts';
import { toWebhookResponse } from './endpoints/schema.ts';
import { webhookStore } from './endpoints/store.ts';

export const readWebhook: Handler<typeof webhookReadRoute> = async ({ params: { id }, caller }) => {
  const webhook = found(await webhookStore.find(caller, id));
  return { webhook: toWebhookResponse(webhook) };
};

export const handler = endpoint(webhookReadRoute, readWebhook, applicationCaller);
