import { actionWrites, formerValues } from '../shared/audit/write.ts';
import { applicationCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { requireRevision } from '../shared/fields/revision.ts';
import { endpoint, found, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { webhookUpdateRoute } from './contracts/webhooks.ts';
import { toWebhookResponse } from './endpoints/schema.ts';
import { webhookStore } from './endpoints/store.ts';
import { requireOwnTypes } from './events/event-types.ts';

export const updateWebhook: Handler<typeof webhookUpdateRoute> = async (request) => {
  const { params, body, caller, rateLimitPassed } = request;
  const { id } = params;
  const { active, revision, ...fields } = body;
  const writeId = randomToken();
  return retryOnConflict(async () => {
    const read = found(await webhookStore.find(caller, id));
    requireRevision(read.revision, revision);
    requireOwnTypes(read.keyKind, 'types', body.types ?? []);
    await rateLimitPassed;
    const updatedAtMs = clock.nowMs();
    const changed = { ...read, ...defined(fields), isActive: active ?? read.isActive, updatedAtMs };
    const before = formerValues(read, changed, ['url', 'types', 'description', 'isActive']);
    const audit = before === undefined ? [] : actionWrites(caller, { action: 'webhook.changed', id, before });
    const updated = await webhookStore.update(changed, read, writeId, audit);
    return updated && { webhook: toWebhookResponse(updated) };
  });
};

export const handler = endpoint(webhookUpdateRoute, updateWebhook, applicationCaller);
