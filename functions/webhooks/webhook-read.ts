import { applicationCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Handler } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { route } from './contracts/webhook-read.ts';
import { toWebhookResponse } from './endpoints/schema.ts';
import { webhookStore } from './endpoints/store.ts';

export const readWebhook: Handler<typeof route> = async ({ params: { id }, caller }) => {
  const webhook = await webhookStore.find(caller, id);
  if (webhook === undefined) throw new ApiError('not_found');
  return { webhook: toWebhookResponse(webhook) };
};

export const handler = endpoint(route, readWebhook, applicationCaller);
