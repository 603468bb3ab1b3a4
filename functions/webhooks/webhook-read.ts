import { applicationCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { route } from './contracts/webhook-read.ts';
import { toWebhookResponse } from './endpoints/schema.ts';
import { webhookStore } from './endpoints/store.ts';

export async function readWebhook({
  params: { id },
  caller,
}: Input<typeof route>): Promise<Output<typeof route>> {
  const webhook = await webhookStore.find(caller, id);
  if (webhook === undefined) throw new ApiError('not_found');
  return { webhook: toWebhookResponse(webhook) };
}

export const handler = endpoint(route, readWebhook, applicationCaller);
