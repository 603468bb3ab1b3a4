import { type Application, getApplication } from '../../shared/accounts/applications.ts';
import type { Input } from '../../shared/contract/route.ts';
import type { ListPage } from '../../shared/lists/list-page.ts';
import type { Delivery } from '../../webhooks/deliveries/delivery.ts';
import { deliveryPage } from '../../webhooks/deliveries/delivery-page.ts';
import { deliveryStore } from '../../webhooks/deliveries/store.ts';
import { webhookStore } from '../../webhooks/endpoints/store.ts';
import type { Webhook } from '../../webhooks/endpoints/webhook.ts';
import { haveExpired, presentEvent } from '../../webhooks/events/event.ts';
import { parseEventId } from '../../webhooks/events/event-id.ts';
import { eventStore } from '../../webhooks/events/store.ts';
import type { webhookShowRoute } from '../routes.ts';

const shownDeliveries = 20;

/** Everything that the page of a webhook shows. */
export interface WebhookDetails {
  application: Application;
  webhook: Webhook;
  deliveries: ListPage<Delivery>;
  /** The delivery that was asked for, and the text that is sent; undefined when the event is no longer kept. */
  shown: { delivery: Delivery; text: string | undefined } | undefined;
  nowMs: number;
}

/**
 * Reads a webhook for its page; undefined when the application has none of this id, or no delivery of the event.
 *
 * @throws ApiError `invalid_request` when the cursor is of another list.
 */
export async function readWebhookDetails(
  { applicationId, webhookId }: { applicationId: string; webhookId: string },
  { cursor, status, event: eventId }: Input<typeof webhookShowRoute>['query'],
  { nowMs }: { nowMs: number },
): Promise<WebhookDetails | undefined> {
  const [application, webhook] = await Promise.all([
    getApplication(applicationId),
    webhookStore.get(applicationId, webhookId),
  ]);
  if (application === undefined || webhook === undefined) return undefined;
  const [deliveries, shown] = await Promise.all([
    deliveryPage({ applicationId, webhookId, limit: shownDeliveries, cursor, status }),
    eventId === undefined ? undefined : deliveryOf(webhookId, eventId, nowMs),
  ]);
  if (shown === 'none') return undefined;
  return { application, webhook, deliveries, shown, nowMs };
}

/** The delivery of an event with the text that is signed and sent; `none` when the webhook has no such delivery. */
async function deliveryOf(
  webhookId: string,
  eventId: string,
  nowMs: number,
): Promise<NonNullable<WebhookDetails['shown']> | 'none'> {
  const parsed = parseEventId(eventId);
  if (parsed === undefined) return 'none';
  const [delivery, [group]] = await Promise.all([
    deliveryStore.get(webhookId, eventId),
    eventStore.get([parsed.groupId]),
  ]);
  if (delivery === undefined) return 'none';
  const isKept = group !== undefined && !haveExpired(group, nowMs);
  return { delivery, text: isKept ? JSON.stringify(presentEvent(group, parsed.position)) : undefined };
}
