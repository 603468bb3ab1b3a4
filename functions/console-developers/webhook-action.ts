import type { FormOf } from '../console/contracts/console-route.ts';
import { filled } from '../console/pages/path.ts';
import { type Answer, redirectTo, type Visit } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import { actionWrite } from '../shared/audit/write.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Operator } from '../shared/contract/operator-scopes.ts';
import type { Input } from '../shared/contract/route.ts';
import { clock } from '../shared/runtime/clock.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { deliveryId } from '../webhooks/deliveries/delivery.ts';
import { retryOf } from '../webhooks/deliveries/retry.ts';
import { webhookStore } from '../webhooks/endpoints/store.ts';
import { requireActive } from '../webhooks/endpoints/webhook.ts';
import { parseEventId } from '../webhooks/events/event-id.ts';
import { route, type WebhookAction } from './contracts/webhook-action.ts';

/** The webhook of a form, and who sent it. */
interface Acting {
  applicationId: string;
  webhookId: string;
  operator: Operator;
}

/**
 * Carries out an action on a webhook. A form that is sent again does nothing more.
 *
 * @throws ApiError `not_found`; `conflict` while the webhook is not active, or when it was changed meanwhile.
 */
export async function actOnWebhook(
  { params, body }: Input<typeof route>,
  { operator }: Visit,
): Promise<Answer> {
  const acting = { ...params, operator };
  const notice = await (body.action === 'retry' ? retry(acting, body) : sendTest(acting, body));
  return redirectTo(filled(route.path, params), notice);
}

async function retry(
  { applicationId, webhookId, operator }: Acting,
  { event: eventId, seen, reason }: FormOf<WebhookAction, 'retry'>,
): Promise<string> {
  if (parseEventId(eventId) === undefined) throw new ApiError('not_found');
  const id = deliveryId({ webhookId, eventId });
  const { isRetried } = await retryOf(
    { applicationId, by: 'operator', operator },
    {
      webhookId,
      eventId,
      audit: [actionWrite(operator, { action: 'delivery.retried', id, applicationId, reason })],
      rateLimitPassed: Promise.resolve(),
      isWanted: ({ retries, status }) => status !== 'succeeded' && retries === seen,
    },
  );
  return isRetried
    ? 'The delivery is attempted again.'
    : 'Nothing was sent: the delivery has succeeded, or was attempted again after the page was shown.';
}

async function sendTest(
  { applicationId, webhookId, operator }: Acting,
  { seen, reason }: FormOf<WebhookAction, 'test'>,
): Promise<string> {
  const audit = [actionWrite(operator, { action: 'webhook.tested', id: webhookId, applicationId, reason })];
  const recorded = await retryOnConflict(async () => {
    const webhook = await webhookStore.get(applicationId, webhookId);
    if (webhook === undefined) throw new ApiError('not_found');
    requireActive(webhook);
    const { eventCount } = webhook;
    // The form was sent before, or something else has recorded an event.
    if (eventCount - 1 === seen) return 'another event';
    if (eventCount !== seen) throw new ApiError('conflict');
    return webhookStore.recordTest(webhook, clock.nowMs(), audit);
  });
  return recorded === 'another event'
    ? 'Nothing was sent: an event about the webhook was recorded after the page was shown.'
    : 'A test event is on its way.';
}

export const handler = consoleEndpoint(route, 'support', actOnWebhook);
