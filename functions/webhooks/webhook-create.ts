import { actionWrites } from '../shared/audit/write.ts';
import { applicationCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, type Handler, type Input, type Output } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { newId } from '../shared/runtime/ids.ts';
import { idempotentRequest, storedResponse } from '../shared/table/idempotency.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { webhookCreateRoute } from './contracts/webhooks.ts';
import { newSigningSecret } from './endpoints/new-secret.ts';
import { toWebhookResponse } from './endpoints/schema.ts';
import { type StoredSecretResponse, webhookStore } from './endpoints/store.ts';
import { idempotencyScope, maxWebhooks, type Webhook } from './endpoints/webhook.ts';
import { keyKindOfNew } from './events/event-types.ts';

type Request = Input<typeof webhookCreateRoute>;
type Response = Output<typeof webhookCreateRoute>;

/** Creates a webhook with its first secret. The secret of a repeated request is that of the first one. */
export const createWebhook: Handler<typeof webhookCreateRoute> = async ({
  headers,
  body,
  caller,
  rateLimitPassed,
}) => {
  const { url, types, description, active } = body;
  const { applicationId } = caller;
  const keyKind = keyKindOfNew(caller, types);
  const nowMs = clock.nowMs();
  const scope = idempotencyScope(caller);
  const request = idempotentRequest(scope, headers, webhookCreateRoute, body);
  const [earlier] = await Promise.all([
    storedResponse<StoredSecretResponse>(request, nowMs),
    rateLimitPassed,
  ]);
  if (earlier !== undefined) return repeated(caller, earlier);

  const webhook: Webhook = {
    webhookId: newId('whk', nowMs),
    applicationId,
    keyKind,
    url,
    types,
    description,
    isActive: active,
    eventCount: 0,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    revision: 1,
  };
  const audit = actionWrites(caller, { action: 'webhook.created', id: webhook.webhookId });
  const secret = newSigningSecret(nowMs);
  const stored = await retryOnConflict(
    async () => (await webhookStore.create(webhook, secret, request, audit)) ?? 'too many',
  );
  if (stored === 'too many') {
    throw new ApiError('limit_exceeded', { details: { webhooks: `must be at most ${maxWebhooks}` } });
  }
  if (stored.secretId !== secret.secretId) return repeated(caller, stored);
  return { webhook: toWebhookResponse(webhook), secret: secret.secret };
};

/** @throws ApiError `conflict` when the webhook or its secret no longer exists. */
async function repeated(
  caller: Request['caller'],
  { webhookId, secretId }: StoredSecretResponse,
): Promise<Response> {
  const [webhook, secrets] = await Promise.all([
    webhookStore.find(caller, webhookId),
    webhookStore.secretsOf(webhookId),
  ]);
  const secret = secrets.find((one) => one.secretId === secretId)?.secret;
  if (webhook === undefined)
    throw new ApiError('conflict', { details: { webhook: 'was removed: use another Idempotency-Key' } });
  if (secret === undefined)
    throw new ApiError('conflict', { details: { secret: 'was replaced: rotate it to get a new one' } });
  return { webhook: toWebhookResponse(webhook), secret };
}

export const handler = endpoint(webhookCreateRoute, createWebhook, applicationCaller);
