import { commandOf } from '../console/contracts/command.ts';
import { operationDetails, operationLink } from '../console/operations/form.ts';
import { badge, facts, idText, moment, section, time, verbatim } from '../console/pages/blocks.ts';
import { filterForm } from '../console/pages/lists.ts';
import { column, list, table } from '../console/pages/table.ts';
import { type Answer, filled, show, type Visit, withQuery } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import { ApiError } from '../shared/contract/errors.ts';
import { allows } from '../shared/contract/operator-scopes.ts';
import type { Input } from '../shared/contract/route.ts';
import { html, type Markup } from '../shared/html/markup.ts';
import { DeliveryStatus } from '../webhooks/api/schemas.ts';
import { deliveryRetryRoute } from '../webhooks/contracts/deliveries.ts';
import { webhookTestRoute } from '../webhooks/contracts/webhooks.ts';
import { type Attempt, type Delivery, deliveryId } from '../webhooks/deliveries/delivery.ts';
import { overlapMs, type Webhook } from '../webhooks/endpoints/webhook.ts';
import { applicationPath, webhookShowRoute } from './routes.ts';
import { readWebhookDetails, type WebhookDetails } from './webhook/read.ts';
import { deliveryStatus, keyKinds, webhookStatus } from './words.ts';

/** A webhook with its deliveries. */
export function webhookPage(visit: Visit, details: WebhookDetails): Markup {
  const { application, webhook, shown } = details;
  const owner = visit.href(filled(applicationPath, application));
  return html`<h1>Webhook</h1>
${facts([
  ['URL', webhook.url],
  ['Status', badge(webhookStatus(webhook))],
  ['Application', html`<a href="${owner}">${application.name || application.applicationId}</a>`],
  ['Id', idText(webhook.webhookId)],
  ['For', keyKinds[webhook.keyKind]],
  ['Events', webhook.types.join(', ')],
  ['Description', webhook.description || undefined],
  ['Signing secret', secretAge(details)],
  ['Created', moment(webhook.createdAtMs)],
])}
${allows(visit.scopes, 'admin') ? changeLink(visit, webhook) : ''}
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

const testWebhook = commandOf('webhooks', 'webhook-test', webhookTestRoute);
const retryDelivery = commandOf('webhooks', 'delivery-retry', deliveryRetryRoute);

/** The link to the form that changes the webhook. That page also replaces the secret and removes the webhook. */
const changeLink = (visit: Visit, { applicationId, webhookId }: Webhook): Markup =>
  html`<p>${operationLink(visit, 'webhooks', 'webhook-update', 'Change the webhook', { applicationId, 'path.id': webhookId })}</p>`;

const testForm = (visit: Visit, { applicationId, webhookId }: Webhook): Markup =>
  operationDetails(visit, testWebhook, {
    note: 'The event webhook.test, which only this webhook receives.',
    fixed: { applicationId, 'path.id': webhookId },
    next: visit.path,
  });

function deliverySection(visit: Visit, { webhook, deliveries }: WebhookDetails): Markup {
  const retry = (delivery: Delivery) =>
    delivery.status === 'failed' && webhook.isActive ? retryForm(visit, webhook.applicationId, delivery) : '';
  const event = ({ eventId, type }: Delivery) => {
    const asked = Object.assign({}, visit.query, { event: eventId });
    return html`<a class="id" href="${visit.href(withQuery(visit.path, asked))}">${eventId}</a><br>${type}`;
  };
  const state = (delivery: Delivery) => {
    const { nextAttemptAtMs } = delivery;
    const next = nextAttemptAtMs === undefined ? '' : html`<br>next attempt ${moment(nextAttemptAtMs)}`;
    return html`${badge(deliveryStatus(delivery))}${delivery.status === 'pending' ? next : ''}`;
  };
  const shown = list(
    visit,
    'Deliveries, that of the newest event first',
    deliveries,
    [
      column.block('Event', event),
      column.time('Created', ({ createdAtMs }) => createdAtMs),
      column.block('Status', state),
      column.text('Attempts', ({ made, attempts }) =>
        made === 0 ? 'none' : `${made}, last answer ${answerOf(attempts.at(-1))}`,
      ),
      column.block('Retry', retry),
    ],
    deliveries.nextCursor === undefined
      ? 'No such delivery in the last 30 days.'
      : 'No delivery of this page has this status.',
  );
  const filters = filterForm(visit, [['status', 'Status', DeliveryStatus.options]]);
  return section('deliveries', 'Deliveries', html`${filters}${shown}`);
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
  const attempts = table(
    'Attempts, oldest first',
    delivery.attempts,
    [
      column.time('At', ({ atMs }) => atMs),
      column.text('Took', ({ durationMs }) => `${durationMs} ms`),
      column.text('Answer', (attempt) => answerOf(attempt)),
      column.text('Body of the answer', ({ body = '' }) => body),
    ],
    'No attempts.',
  );
  return section(
    'event',
    delivery.type,
    html`${facts([
      ['Event', idText(delivery.eventId)],
      ['Status', badge(deliveryStatus(delivery))],
    ])}
${attempts}
<details open><summary>The body, as it is sent</summary>${text === undefined ? html`<p>The event is no longer kept.</p>` : html`<pre>${verbatim(text)}</pre>`}</details>`,
  );
}

/** Shows a webhook with its deliveries, and the event of one of them. */
export async function showWebhook(
  { params, query }: Input<typeof webhookShowRoute>,
  visit: Visit,
): Promise<Answer> {
  const details = await readWebhookDetails(params, query, visit);
  if (details === undefined) throw new ApiError('not_found');
  const { application } = details;
  const crumbs = { [filled(applicationPath, application)]: application.name || application.applicationId };
  return show('Webhook', webhookPage(visit, details), { crumbs });
}

export const handler = consoleEndpoint(webhookShowRoute, 'support', showWebhook);
