import { randomUUID } from 'node:crypto';
import { newId } from '../../../functions/shared/runtime/ids.ts';
import { webhookStore } from '../../../functions/webhooks/endpoints/store.ts';
import type { Webhook } from '../../../functions/webhooks/endpoints/webhook.ts';
import { newSecret } from './receiver.ts';

/** A webhook of an API key for all types, written directly to the table. `more` overrides its fields. */
export async function storedWebhook(
  { applicationId, url, secret = newSecret() }: { applicationId: string; url: string; secret?: string },
  more: Partial<Webhook> = {},
): Promise<Webhook> {
  const nowMs = Date.now();
  const webhook: Webhook = {
    webhookId: newId('whk', nowMs),
    applicationId,
    keyKind: 'api_key',
    url,
    types: ['*'],
    description: '',
    isActive: true,
    eventCount: 0,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    revision: 1,
    ...more,
  };
  await webhookStore.create(webhook, { secretId: randomUUID(), secret, createdAtMs: nowMs }, undefined);
  return webhook;
}
