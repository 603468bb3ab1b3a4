import { applicationCaller } from '../shared/auth/bearer.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { toWebhookResponse } from './endpoints/schema.ts';
import { webhookStore } from './endpoints/store.ts';
import { manages } from './endpoints/webhook.ts';
import { routes } from './routes.ts';

const listDeps = () => ({ webhooks: webhookStore });

/** Lists the webhooks that the caller manages, oldest first. */
export async function listWebhooks(
  { caller }: Input<(typeof routes)['webhook-list']>,
  { webhooks }: ReturnType<typeof listDeps>,
): Promise<Output<(typeof routes)['webhook-list']>> {
  const all = await webhooks.listOf(caller.applicationId);
  return { webhooks: all.filter((webhook) => manages(caller, webhook)).map(toWebhookResponse) };
}

export const handler = endpoint(routes['webhook-list'], listWebhooks, listDeps, applicationCaller);
