import { commandOf } from '../../console/contracts/command.ts';
import { operationDetails } from '../../console/operations/form.ts';
import { facts, idText, pager, table, time, verbatim } from '../../console/pages/blocks.ts';
import { choiceField, filterForm } from '../../console/pages/lists.ts';
import { filled, withQuery } from '../../console/pages/path.ts';
import type { Visit } from '../../console/pages/visit.ts';
import { html, type Markup } from '../../shared/html/markup.ts';
import { DeliveryStatus } from '../../webhooks/api/schemas.ts';
import { route as retryRoute } from '../../webhooks/contracts/delivery-retry.ts';
import { route as testRoute } from '../../webhooks/contracts/webhook-test.ts';
import { type Attempt, type Delivery, deliveryId } from '../../webhooks/deliveries/delivery.ts';
import { overlapMs, type Webhook } from '../../webhooks/endpoints/webhook.ts';
import { applicationPath } from '../contracts/paths.ts';
import { deliveryStatus, keyKinds, webhookStatus } from '../words.ts';
import type { WebhookDetails } from './read.ts';

/** A webhook with its deliveries. */
export function webhookPage(visit: Visit, details: WebhookDetails): Markup {
  const { application, webhook, shown } = details;
  const owner = visit.href(filled(applicationPath, application));
  return html`<h1>Webhook</h1>
${facts([
  ['URL', webhook.url],
  ['Status', webhookStatus(webhook)],
  ['Application', html`<a href="${owner}">${application.name || application.applicationId}</a>`],
  ['Id', idText(webhook.webhookId)],
  ['For', keyKinds[webhook.keyKind]],
  ['Events', webhook.types.join(', ')],
  ['Description', webhook.description || undefined],
  ['Signing secret', secretAge(details)],
  ['Created', time(webhook.createdAtMs)],
])}
${webhook.isActive ? testForm(visit, webhook) : ''}
${shown === undefined ? '' : eventSection(shown)}
${deliverySection(visit, details)}`;
}

/** The age of the signing secret. The secrets are in a partition that this function cannot read. */
function secretAge({ webhook: { createdAtMs, secretSinceMs = createdAtMs }, nowMs }: WebhookDetails): string {
  const formerEndsMs = secretSinceMs + overlapMs;
  const hasFormer = secretSinceMs !== createdAtMs && nowMs < formerEndsMs;
  const age = `since ${time(secretSinceMs)}`;
  return hasFormer ? `${age}; the former one signs until ${time(formerEndsMs)}` : age;
}

const testWebhook = commandOf('webhooks', 'webhook-test', testRoute);
const retryDelivery = commandOf('webhooks', 'delivery-retry', retryRoute);

const testForm = (visit: Visit, { applicationId, webhookId }: Webhook): Markup =>
  operationDetails(visit, testWebhook, {
    note: 'The event webhook.test, which only this webhook receives.',
    fixed: { applicationId, 'path.id': webhookId },
    next: visit.path,
  });

function deliverySection(visit: Visit, { webhook, deliveries }: WebhookDetails): Markup {
  const { items, nextCursor } = deliveries;
  const retry = (delivery: Delivery) =>
    delivery.status === 'failed' && webhook.isActive ? retryForm(visit, webhook.applicationId, delivery) : '';
  const event = ({ eventId, type }: Delivery) => {
    const asked = Object.assign({}, visit.query, { event: eventId });
    return html`<a class="id" href="${visit.href(withQuery(visit.path, asked))}">${eventId}</a><br>${type}`;
  };
  const state = (delivery: Delivery) => {
    const { nextAttemptAtMs } = delivery;
    const next = nextAttemptAtMs === undefined ? '' : html`<br>next attempt ${time(nextAttemptAtMs)}`;
    return html`${deliveryStatus(delivery)}${delivery.status === 'pending' ? next : ''}`;
  };
  return html`<section aria-labelledby="deliveries"><h2 id="deliveries">Deliveries</h2>
${filterForm(visit, [choiceField('status', 'Status', { choices: DeliveryStatus.options, value: visit.query.status })])}
${table('Deliveries, that of the newest event first', {
  columns: [
    { title: 'Event', cell: event },
    { title: 'Created', cell: ({ createdAtMs }) => time(createdAtMs) },
    { title: 'Status', cell: state },
    {
      title: 'Attempts',
      cell: ({ made, attempts }) =>
        made === 0 ? 'none' : `${made}, last answer ${answerOf(attempts.at(-1))}`,
    },
    { title: 'Retry', cell: retry },
  ],
  rows: items,
  empty:
    nextCursor === undefined
      ? 'No such delivery in the last 30 days.'
      : 'No delivery of this page has this status.',
})}
${pager(visit, nextCursor)}</section>`;
}

const answerOf = (attempt: Attempt | undefined): string => {
  if (attempt === undefined) return 'none';
  return attempt.status === undefined ? (attempt.error ?? 'none') : String(attempt.status);
};

const retryForm = (visit: Visit, applicationId: string, delivery: Delivery): Markup =>
  operationDetails(visit, retryDelivery, {
    title: 'Retry',
    fixed: { applicationId, 'path.id': deliveryId(delivery) },
    next: visit.path,
  });

/** The attempts of a delivery, and the body that is sent. */
function eventSection({ delivery, text }: NonNullable<WebhookDetails['shown']>): Markup {
  return html`<section aria-labelledby="event"><h2 id="event">${delivery.type}</h2>
${facts([
  ['Event', idText(delivery.eventId)],
  ['Status', deliveryStatus(delivery)],
])}
${table('Attempts, oldest first', {
  columns: [
    { title: 'At', cell: ({ atMs }) => time(atMs) },
    { title: 'Took', cell: ({ durationMs }) => `${durationMs} ms` },
    { title: 'Answer', cell: (attempt) => answerOf(attempt) },
    { title: 'Body of the answer', cell: ({ body = '' }) => body },
  ],
  rows: delivery.attempts,
  empty: 'No attempts.',
})}
<details open><summary>The body, as it is sent</summary>${text === undefined ? html`<p>The event is no longer kept.</p>` : html`<pre>${verbatim(text)}</pre>`}</details></section>`;
}
