import { applicationCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { webhookListRoute } from './contracts/webhooks.ts';
import { toWebhookResponse } from './endpoints/schema.ts';
import { webhookStore } from './endpoints/store.ts';
import { manages } from './endpoints/webhook.ts';

/** Lists the webhooks that the caller manages, oldest first. */
export const listWebhooks: Handler<typeof webhookListRoute> = async ({ caller }) => {
  const all = await webhookStore.listOf(caller.applicationId);
  return { webhooks: all.filter((webhook) => manages(caller, webhook)).map(toWebhookResponse) };
};

export const handler = endpoint(webhookListRoute, listWebhooks, applicationCaller);
