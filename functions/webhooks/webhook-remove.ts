import { actionWrites } from '../shared/audit/write.ts';
import { applicationCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { webhookRemoveRoute } from './contracts/webhooks.ts';
import { webhookStore } from './endpoints/store.ts';

/** Removes a webhook permanently. Of concurrent requests one succeeds, and the others get `not_found`. */
export const removeWebhook: Handler<typeof webhookRemoveRoute> = async ({
  params: { id },
  caller,
  rateLimitPassed,
}) => {
  await rateLimitPassed;
  const audit = actionWrites(caller, { action: 'webhook.removed', id });
  const isRemoved = await retryOnConflict(() => webhookStore.remove(caller, id, audit));
  if (!isRemoved) throw new ApiError('not_found');
  return { success: true, deleted: id };
};

export const handler = endpoint(webhookRemoveRoute, removeWebhook, applicationCaller);
