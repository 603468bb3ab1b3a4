import * as z from 'zod/mini';
import { defined } from '../../shared/contract/defined.ts';
import { described, Time } from '../../shared/fields/described.ts';
import { revision } from '../../shared/fields/revision.ts';
import { isoTime, optionalIsoTime } from '../../shared/runtime/clock.ts';
import type { Webhook } from './webhook.ts';

export const WebhookSchema = z.object({
  _id: z.string(),
  keyKind: z
    .enum(['api_key', 'client_secret'])
    .check(
      described(
        'The kind of key that the webhook is for. Only this kind manages it, and it takes the events of its services.',
      ),
    ),
  url: z.string(),
  types: z.array(z.string()),
  description: z.string(),
  active: z.boolean().check(described('Events are delivered while it is active.')),
  disabled: z.optional(
    z
      .object({
        reason: z
          .enum(['gone', 'failing'])
          .check(described('`gone`: it answered 410. `failing`: every attempt failed for five days.')),
        at: Time,
      })
      .check(described('Why the service disabled it. `active: true` in an update enables it again.')),
  ),
  failingSince: z.optional(
    Time.check(described('Since when every attempt has failed. After five days it is disabled.')),
  ),
  revision,
  createdAt: Time,
  updatedAt: Time,
});
export type WebhookSchema = z.output<typeof WebhookSchema>;

/** A webhook as returned to callers. It has no secret. */
export function toWebhookResponse(webhook: Webhook): WebhookSchema {
  const { webhookId, keyKind, url, types, description, isActive, disabled, failingSinceMs } = webhook;
  return {
    _id: webhookId,
    keyKind,
    url,
    types: [...types],
    description,
    active: isActive,
    ...defined({
      disabled: disabled && { reason: disabled.reason, at: isoTime(disabled.atMs) },
      failingSince: optionalIsoTime(failingSinceMs),
    }),
    revision: webhook.revision,
    createdAt: isoTime(webhook.createdAtMs),
    updatedAt: isoTime(webhook.updatedAtMs),
  };
}
