import { applicationCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { toWebhookResponse } from './endpoints/schema.ts';
import { webhookStore } from './endpoints/store.ts';
import { routes } from './routes.ts';

const readDeps = () => ({ webhooks: webhookStore });

/** Retrieves a webhook of the application. */
export async function readWebhook(
  { params: { id }, caller }: Input<(typeof routes)['webhook-read']>,
  { webhooks }: ReturnType<typeof readDeps>,
): Promise<Output<(typeof routes)['webhook-read']>> {
  const webhook = await webhooks.find(caller, id);
  if (webhook === undefined) throw new ApiError('not_found');
  return { webhook: toWebhookResponse(webhook) };
}

export const handler = endpoint(routes['webhook-read'], readWebhook, readDeps, applicationCaller);
