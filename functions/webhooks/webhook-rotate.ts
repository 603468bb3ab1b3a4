import { actionWrites } from '../shared/audit/write.ts';
import { applicationCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, type Handler, type Output } from '../shared/lambda/endpoint.ts';
import { clock, isoTime } from '../shared/runtime/clock.ts';
import { idempotentRequest, storedResponse } from '../shared/table/idempotency.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { webhookRotateRoute } from './contracts/webhooks.ts';
import { newSigningSecret } from './endpoints/new-secret.ts';
import { type StoredSecretResponse, webhookStore } from './endpoints/store.ts';
import { idempotencyScope, overlapMs, type SigningSecret } from './endpoints/webhook.ts';

type Response = Output<typeof webhookRotateRoute>;

/** Gives a webhook a new secret. The secret of a repeated request is that of the first one. */
export const rotateSecret: Handler<typeof webhookRotateRoute> = async ({
  params: { id },
  headers,
  caller,
  rateLimitPassed,
}) => {
  const nowMs = clock.nowMs();
  const request = idempotentRequest(idempotencyScope(caller), headers, webhookRotateRoute, { id });
  const secret = newSigningSecret(nowMs);
  const audit = actionWrites(caller, { action: 'webhook.secret_rotated', id });
  const earlier = storedResponse<StoredSecretResponse>(request, nowMs);
  const stored = await retryOnConflict(async () => {
    const [first, webhook] = await Promise.all([earlier, webhookStore.find(caller, id), rateLimitPassed]);
    if (webhook === undefined) throw new ApiError('not_found');
    return first ?? (await webhookStore.rotate(webhook, secret, request, audit));
  });
  return toResponse(stored.secretId === secret.secretId ? secret : await repeated(stored));
};

/** @throws ApiError `conflict` when the secret was replaced twice since. */
async function repeated({ webhookId, secretId }: StoredSecretResponse): Promise<SigningSecret> {
  const secret = (await webhookStore.secretsOf(webhookId)).find((one) => one.secretId === secretId);
  if (secret === undefined)
    throw new ApiError('conflict', { details: { secret: 'was replaced: use another Idempotency-Key' } });
  return secret;
}

function toResponse({ secret, createdAtMs }: SigningSecret): Response {
  return { secret, formerSecretExpiresAt: isoTime(createdAtMs + overlapMs) };
}

export const handler = endpoint(webhookRotateRoute, rotateSecret, applicationCaller);
