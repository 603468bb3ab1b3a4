/** The acts of operators on a webhook. The record of an act is written in the transaction that does it. */
import { actionWrite } from '../../shared/accounts/audit.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import type { Operator } from '../../shared/contract/operator-scopes.ts';
import { clock } from '../../shared/runtime/clock.ts';
import { retryOnConflict } from '../../shared/table/optimistic-retry.ts';
import { deliveryId } from '../../webhooks/deliveries/delivery.ts';
import { retryOf } from '../../webhooks/deliveries/retry.ts';
import { webhookStore } from '../../webhooks/endpoints/store.ts';
import { requireActive } from '../../webhooks/endpoints/webhook.ts';
import { parseEventId } from '../../webhooks/events/event-id.ts';
import type { WebhookAct } from '../contracts/webhook-act.ts';

/** A form that was sent. */
interface Sent {
  applicationId: string;
  webhookId: string;
  operator: Operator;
  body: WebhookAct;
}

/**
 * Carries out an act. @returns what was done, for the notice.
 * @throws ApiError `not_found`; `conflict` while the webhook is not active, or when it was changed meanwhile.
 */
export const webhookActs: Readonly<Record<WebhookAct['action'], (sent: Sent) => Promise<string>>> = {
  async retry({ applicationId, webhookId, operator, body: { event: eventId = '', seen, reason } }) {
    if (parseEventId(eventId) === undefined) throw new ApiError('not_found');
    const id = deliveryId({ webhookId, eventId });
    const { isRetried } = await retryOf(
      { applicationId, by: 'operator', operator },
      {
        webhookId,
        eventId,
        audit: [actionWrite(operator, { action: 'delivery.retried', id, applicationId, reason })],
        rateLimitPassed: Promise.resolve(),
        isWanted: ({ retries, status }) => status !== 'succeeded' && String(retries) === seen,
      },
    );
    return isRetried
      ? 'The delivery is attempted again.'
      : 'Nothing was sent: the delivery has succeeded, or was attempted again after the page was shown.';
  },

  async test({ applicationId, webhookId, operator, body: { seen = '', reason } }) {
    const audit = [actionWrite(operator, { action: 'webhook.tested', id: webhookId, applicationId, reason })];
    const recorded = await retryOnConflict(async () => {
      const webhook = await webhookStore.get(applicationId, webhookId);
      if (webhook === undefined) throw new ApiError('not_found');
      requireActive(webhook);
      const { eventCount } = webhook;
      // The form was sent before, or something else has recorded an event.
      if (String(eventCount - 1) === seen) return 'another event';
      if (String(eventCount) !== seen) throw new ApiError('conflict');
      return webhookStore.recordTest(webhook, clock.nowMs(), audit);
    });
    return recorded === 'another event'
      ? 'Nothing was sent: an event about the webhook was recorded after the page was shown.'
      : 'A test event is on its way.';
  },
};
