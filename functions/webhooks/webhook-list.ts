import { applicationCaller } from '../shared/auth/bearer.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { toWebhookResponse } from './endpoints/schema.ts';
import { webhookStore } from './endpoints/store.ts';
import { routes } from './routes.ts';

const listDeps = () => ({ webhooks: webhookStore });

/** Lists the webhooks of the application, oldest first. */
export async function listWebhooks(
  { caller: { applicationId } }: Input<(typeof routes)['webhook-list']>,
  { webhooks }: ReturnType<typeof listDeps>,
): Promise<Output<(typeof routes)['webhook-list']>> {
  return { webhooks: (await webhooks.listOf(applicationId)).map(toWebhookResponse) };
}

export const handler = endpoint(routes['webhook-list'], listWebhooks, listDeps, applicationCaller);
