import { applicationCaller } from '../shared/auth/bearer.ts';
import type { Handler } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { route } from './contracts/webhook-list.ts';
import { toWebhookResponse } from './endpoints/schema.ts';
import { webhookStore } from './endpoints/store.ts';
import { manages } from './endpoints/webhook.ts';

/** Lists the webhooks that the caller manages, oldest first. */
export const listWebhooks: Handler<typeof route> = async ({ caller }) => {
  const all = await webhookStore.listOf(caller.applicationId);
  return { webhooks: all.filter((webhook) => manages(caller, webhook)).map(toWebhookResponse) };
};

export const handler = endpoint(route, listWebhooks, applicationCaller);
