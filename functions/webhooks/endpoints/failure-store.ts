import * as keys from '../../shared/contract/keys.ts';
import { eventWrites } from '../../shared/events/events-write.ts';
import { retryOnConflict } from '../../shared/table/optimistic-retry.ts';
import { exists, transactWrite, updateItem, type Write } from '../../shared/table/table.ts';
import { toWebhookResponse } from './schema.ts';
import { asRead, readValues, readWebhook, webhookStore } from './store.ts';
import type { Webhook } from './webhook.ts';

/** Whether the attempts of a webhook fail, in its record: since when, and that it is disabled for it. */
export const failureStore = {
  /**
   * Notes that an attempt failed. Writes only when no failure is noted.
   * @returns the webhook with its `failingSinceMs`; the given one when it was removed.
   */
  async noteFailure(webhook: Webhook, nowMs: number): Promise<Webhook> {
    if (webhook.failingSinceMs !== undefined) return webhook;
    const outcome = await updateItem(keys.webhook(webhook.applicationId, webhook.webhookId), {
      UpdateExpression: 'SET failingSinceMs = :now',
      ConditionExpression: `${exists} AND attribute_not_exists(failingSinceMs) AND (attribute_not_exists(failuresEndedMs) OR failuresEndedMs < :now)`,
      ExpressionAttributeValues: { ':now': nowMs },
      guard: { newest: 'failuresEndedMs' },
      isOwn: (stored) => stored.failingSinceMs === nowMs,
    });
    const stored = outcome.done ? outcome.item : outcome.refused;
    return stored === undefined ? webhook : readWebhook(stored);
  },

  /** Notes that an attempt succeeded. Writes only when the webhook, as read, was failing. */
  async noteSuccess(webhook: Webhook): Promise<void> {
    const { applicationId, webhookId, failingSinceMs } = webhook;
    if (failingSinceMs === undefined) return;
    await updateItem(
      keys.webhook(applicationId, webhookId),
      {
        UpdateExpression: 'SET failuresEndedMs = :since REMOVE failingSinceMs',
        ConditionExpression: 'failingSinceMs = :since',
        ExpressionAttributeValues: { ':since': failingSinceMs },
        guard: { once: 'failingSinceMs' },
      },
      'NONE',
    );
  },

  /**
   * Disables a webhook that is active and has not been changed since it was read, and records the event, in one
   * transaction.
   *
   * @returns whether this call disabled it.
   */
  async disable(
    read: Webhook,
    reason: NonNullable<Webhook['disabled']>['reason'],
    nowMs: number,
  ): Promise<boolean> {
    let current: Webhook | undefined = read;
    return retryOnConflict(async () => {
      if (current === undefined || !current.isActive || current.revision !== read.revision) return false;
      if (await transactWrite(disabling(current, { reason, atMs: nowMs }))) return true;
      // A test event may have been recorded meanwhile. It changes no revision.
      current = await webhookStore.get(read.applicationId, read.webhookId);
      return undefined;
    });
  },
};

function disabling(webhook: Webhook, disabled: NonNullable<Webhook['disabled']>): Write[] {
  const { applicationId, webhookId, keyKind } = webhook;
  const sequence = webhook.eventCount + 1;
  const revision = webhook.revision + 1;
  const after: Webhook = { ...webhook, isActive: false, disabled, revision, updatedAtMs: disabled.atMs };
  return [
    {
      Update: {
        Key: keys.webhook(applicationId, webhookId),
        UpdateExpression:
          'SET isActive = :false, disabled = :disabled, updatedAtMs = :now, eventCount = :sequence, revision = revision + :one',
        ConditionExpression: asRead,
        ExpressionAttributeValues: {
          ...readValues(webhook),
          ':false': false,
          ':disabled': disabled,
          ':now': disabled.atMs,
          ':sequence': sequence,
          ':one': 1,
        },
      },
    },
    ...eventWrites({ applicationId, nowMs: disabled.atMs, audience: { keyKind } }, [
      { type: 'webhook.disabled', sequence, data: toWebhookResponse(after) },
    ]),
  ];
}
