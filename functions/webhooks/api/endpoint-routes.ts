import { defineRoutes } from '../../shared/contract/route.ts';
import { IdempotencyHeaders, NewWebhook, WebhookChange, WebhookPath } from './requests.ts';
import {
  CreatedWebhook,
  OneWebhook,
  RemovedWebhook,
  RequestedTest,
  RotatedSecret,
  WebhookList,
} from './responses.ts';

const applicationRoute = {
  auth: 'application',
  operatorScope: 'support',
  concurrentRateLimit: true,
} as const;
const errors = { invalid: 'invalid_request', limited: 'rate_limited', failed: 'server_error' } as const;
/** An operator can name an application that does not exist. */
const refusals = ['invalid_token', 'not_found'] as const;
const idempotencyErrors = ['idempotency_mismatch', 'idempotency_in_progress'] as const;
const idempotency = ['GetItem', 'PutItem'] as const;

export const endpointRoutes = defineRoutes({
  'webhook-create': {
    method: 'POST',
    path: '/api/v1/webhooks',
    summary: 'Creates a webhook.',
    description: `\
The webhook is for the kind of key that sends the request: it takes the events of its services, and only this kind manages it.
Each kind has at most ten webhooks. A type of the other kind is refused. A webhook that an operator creates is for the kind that
its \`types\` name. \`secret\` signs the deliveries, and is shown only in this response. The
conventions of this reference say how deliveries are made and verified.

With an \`Idempotency-Key\`, a repeated request within 24 hours returns the webhook and the secret of the first one. When the
webhook was removed or its secret replaced twice since, the repeat is a \`conflict\`.`,
    ...applicationRoute,
    operatorScope: 'admin',
    headers: IdempotencyHeaders,
    body: NewWebhook,
    response: CreatedWebhook,
    status: 201,
    errors: { ...errors, also: [...refusals, 'limit_exceeded', 'conflict', ...idempotencyErrors] },
    grants: {
      table: {
        WEBHOOK: ['GetItem', 'PutItem', 'UpdateItem'],
        WEBHOOKSECRET: ['GetItem', 'PutItem'],
        IDEMPOTENCY: idempotency,
      },
    },
  },
  'webhook-list': {
    method: 'GET',
    path: '/api/v1/webhooks',
    summary: 'Lists the webhooks of the application.',
    description:
      'Lists those of the kind of key that sends the request, at most ten, oldest first. An operator sees those of both kinds.',
    ...applicationRoute,
    response: WebhookList,
    errors: { ...errors, also: refusals },
    grants: { table: { WEBHOOK: ['Query'] } },
  },
  'webhook-read': {
    method: 'GET',
    path: '/api/v1/webhooks/{id}',
    summary: 'Retrieves a webhook.',
    ...applicationRoute,
    params: WebhookPath,
    response: OneWebhook,
    errors: { ...errors, also: refusals },
    grants: { table: { WEBHOOK: ['GetItem'] } },
  },
  'webhook-update': {
    method: 'PUT',
    path: '/api/v1/webhooks/{id}',
    summary: 'Updates a webhook.',
    description: [
      'Omitted fields keep their values.',
      '`active: true` enables a webhook that the service disabled; its failures are forgotten.',
      'Deliveries that wait for an attempt go to the new `url`.',
    ].join(' '),
    ...applicationRoute,
    operatorScope: 'admin',
    params: WebhookPath,
    body: WebhookChange,
    response: OneWebhook,
    errors: { ...errors, also: [...refusals, 'conflict'] },
    grants: { table: { WEBHOOK: ['GetItem', 'UpdateItem'] } },
  },
  'webhook-remove': {
    method: 'DELETE',
    path: '/api/v1/webhooks/{id}',
    summary: 'Removes a webhook and its secrets.',
    description: 'Deliveries that wait for an attempt end: none is attempted again.',
    ...applicationRoute,
    operatorScope: 'admin',
    params: WebhookPath,
    response: RemovedWebhook,
    errors: { ...errors, also: [...refusals, 'conflict'] },
    grants: { table: { WEBHOOK: ['UpdateItem', 'DeleteItem'], WEBHOOKSECRET: ['DeleteItem'] } },
  },
  'webhook-rotate': {
    method: 'POST',
    path: '/api/v1/webhooks/{id}/rotate',
    summary: 'Gives a webhook a new signing secret.',
    description: `\
For 24 hours deliveries have two signatures: by the new secret and by the former one. Replace the secret in the receiver in this
time. At most two secrets sign: with another rotation within the 24 hours, the oldest one ends at once.

With an \`Idempotency-Key\`, a repeated request within 24 hours returns the secret of the first one. When it was replaced
twice since, the repeat is a \`conflict\`.`,
    ...applicationRoute,
    operatorScope: 'admin',
    params: WebhookPath,
    headers: IdempotencyHeaders,
    response: RotatedSecret,
    errors: { ...errors, also: [...refusals, 'conflict', ...idempotencyErrors] },
    grants: {
      table: {
        WEBHOOK: ['GetItem'],
        WEBHOOKSECRET: ['GetItem', 'UpdateItem'],
        IDEMPOTENCY: idempotency,
      },
    },
  },
  'webhook-test': {
    method: 'POST',
    path: '/api/v1/webhooks/{id}/test',
    summary: 'Sends a test event to a webhook.',
    description: [
      'Records an event `webhook.test`, which only this webhook receives, whatever its `types` are.',
      'It is delivered and retried like any other. While the webhook is not active, the request is a `conflict`.',
    ].join(' '),
    ...applicationRoute,
    params: WebhookPath,
    throttle: { ratePerSecond: 20, burst: 40 },
    response: RequestedTest,
    status: 202,
    errors: { ...errors, also: [...refusals, 'conflict'] },
    grants: { table: { WEBHOOK: ['GetItem', 'UpdateItem'], EVENT: ['PutItem'] } },
  },
});
